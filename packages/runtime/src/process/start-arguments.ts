import { parseArgs } from 'node:util';
import type { HealthSettings } from '../health/health-address.js';

/** What a built bot is told on its command line. */
export interface StartArguments {
  /** Whether the bot is only loaded: it then connects to nothing and exits. */
  readonly check: boolean;
  /** Selects `.env.<mode>` and a target of the configuration. */
  readonly mode: string;
  readonly sync: boolean;
  /** Whether `--sync` may delete: all, or those that are named. */
  readonly allowDelete: boolean | readonly string[];
  /** Where health is to be served, as it was typed. */
  readonly health: HealthSettings;
}

/** Reads the flags a built bot knows. Others are for the bot's own code and are left alone. */
export function readStartArguments(argv: readonly string[]): StartArguments {
  const { values } = parseArgs({
    args: [...argv],
    // What is not known is no error, and a value may be missing or be there against the type.
    strict: false,
    options: {
      check: { type: 'boolean' },
      mode: { type: 'string' },
      sync: { type: 'boolean' },
      'allow-delete': { type: 'boolean' },
      'health-port': { type: 'string' },
      'health-host': { type: 'string' },
    },
  });
  const allowed = values['allow-delete'];
  const isSet = (name: string): boolean => values[name] !== undefined && values[name] !== false;
  return {
    check: isSet('check'),
    mode: textOf(values['mode']) ?? 'production',
    sync: isSet('sync'),
    allowDelete: typeof allowed === 'string' ? splitNames(allowed) : allowed === true,
    health: { port: textOf(values['health-port']), host: textOf(values['health-host']) },
  };
}

/** `a, /b` as `a` and `b`. */
function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^\//, ''))
    .filter((name) => name !== '');
}

/** A flag that was given without its value is an empty text, which is no port and no host. */
const textOf = (value: string | boolean | undefined): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : '';
