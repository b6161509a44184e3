import { parseArgs } from 'node:util';
import type { SyncMode } from '../bot/start-bot.js';
import type { HealthSettings } from '../health/health-address.js';

/** The command-line arguments of a built bot. */
export interface StartArguments {
  /** Whether the bot is only loaded: it then connects to nothing and exits. */
  readonly check: boolean;
  /** Selects `.env.<mode>` and a target of the configuration. */
  readonly mode: string;
  readonly sync: boolean;
  /** Whether `--sync` may delete: all commands, or those that are named. */
  readonly allowDelete: boolean | readonly string[];
  /** Where health is served, as typed. */
  readonly health: HealthSettings;
}

/** Reads the flags of a built bot. Others are for the bot's own code and are ignored. */
export function readStartArguments(argv: readonly string[]): StartArguments {
  const { values } = parseArgs({
    args: [...argv],
    // An unknown flag is no error, and a value may be missing or present against its type.
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

/** Returns what the flags ask of the registered commands. `isEmpty`: the bot has no command. */
export function syncOf(
  { sync, allowDelete }: Pick<StartArguments, 'sync' | 'allowDelete'>,
  isEmpty: boolean,
): {
  readonly sync: SyncMode;
  readonly allowDelete?: readonly string[];
} {
  if (!sync) return { sync: 'check' };
  // A bot without commands, such as in the wrong folder, deletes none: `virgule deploy` asks for --allow-empty.
  if (allowDelete === true && !isEmpty) return { sync: 'apply-with-deletions' };
  return { sync: 'apply', allowDelete: Array.isArray(allowDelete) ? allowDelete : [] };
}

/** Returns the names of a list: `a` and `b` of `a, /b`. */
function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^\//, ''))
    .filter((name) => name !== '');
}

/** Returns the value of a flag. One without a value is an empty string, which is neither a port nor a host. */
const textOf = (value: string | boolean | undefined): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : '';
