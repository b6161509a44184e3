import { parseArgs } from 'node:util';
import { didYouMean, listOf } from '@virgule/core/text';
import { createErrors } from './create-errors.js';
import { PACKAGE_MANAGERS, isPackageManager, type PackageManager } from './package-manager.js';

/** What to do with a folder that is not empty. */
export type Force = 'merge' | 'empty';

/** The parsed command line. */
export interface CreateFlags {
  /** As typed; `undefined` if omitted. */
  readonly folder: string | undefined;
  readonly template: string | undefined;
  readonly packageManager: PackageManager | undefined;
  readonly yes: boolean;
  /** Whether it may ask, on a terminal. */
  readonly interactive: boolean;
  /** `undefined` without `--install` and `--no-install`. */
  readonly install: boolean | undefined;
  /** Whether the bot is started. */
  readonly dev: boolean;
  readonly git: boolean;
  readonly force: Force | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly listTemplates: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const OPTIONS = {
  template: { type: 'string', short: 't' },
  pm: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  interactive: { type: 'boolean' },
  'no-interactive': { type: 'boolean' },
  install: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  dev: { type: 'boolean' },
  'no-dev': { type: 'boolean' },
  git: { type: 'boolean' },
  'no-git': { type: 'boolean' },
  force: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  'list-templates': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;

const isOption = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name);
const flagNames = Object.keys(OPTIONS).map((name) => `--${name}`);

const EXPECTED: Partial<Record<OptionName, string>> = {
  template: 'the name of a template',
  pm: listOf(PACKAGE_MANAGERS, 'or'),
  force: 'merge or empty',
};

/**
 * Parses the command line. Of a flag and its `--no-` form, the last one applies.
 *
 * @throws VirguleError `E_CREATE_ARGUMENTS`.
 */
export function parseFlags(argv: readonly string[]): CreateFlags {
  // Not strict: its errors suggest no flag and do not say what was expected.
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true });
  const texts = new Map<OptionName, string>();
  const switches = new Map<OptionName, boolean>();
  const folders: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') folders.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName: flag, value } = token;
    if (!isOption(name)) {
      throw createErrors.E_CREATE_ARGUMENTS({
        kind: 'unknown-flag',
        flag,
        closest: didYouMean(flag, flagNames),
      });
    }
    if (OPTIONS[name].type === 'boolean') {
      if (value !== undefined) {
        throw createErrors.E_CREATE_ARGUMENTS({
          kind: 'flag-value',
          flag,
          expected: 'no value',
          saw: `"${value}"`,
        });
      }
      const off = name.startsWith('no-');
      switches.set(off ? (name.slice('no-'.length) as OptionName) : name, !off);
    } else {
      const missing = value === undefined || (!token.inlineValue && value.startsWith('-'));
      if (missing || value === '') {
        const saw = value === '' ? 'an empty value' : 'nothing';
        throw createErrors.E_CREATE_ARGUMENTS({
          kind: 'flag-value',
          flag,
          expected: EXPECTED[name] ?? 'a value',
          saw,
        });
      }
      texts.set(name, value);
    }
  }
  if (folders.length > 1) throw createErrors.E_CREATE_ARGUMENTS({ kind: 'folders', folders });
  return {
    folder: folders[0],
    template: texts.get('template'),
    packageManager: oneOf('pm', texts.get('pm'), isPackageManager),
    yes: switches.get('yes') ?? false,
    interactive: switches.get('interactive') ?? true,
    install: switches.get('install'),
    dev: switches.get('dev') ?? false,
    git: switches.get('git') ?? false,
    force: oneOf('force', texts.get('force'), isForce),
    dryRun: switches.get('dry-run') ?? false,
    json: switches.get('json') ?? false,
    listTemplates: switches.get('list-templates') ?? false,
    help: switches.get('help') ?? false,
    version: switches.get('version') ?? false,
  };
}

const isForce = (value: string): value is Force => value === 'merge' || value === 'empty';

function oneOf<Value extends string>(
  name: OptionName,
  value: string | undefined,
  accepts: (text: string) => text is Value,
): Value | undefined {
  if (value === undefined || accepts(value)) return value;
  throw createErrors.E_CREATE_ARGUMENTS({
    kind: 'flag-value',
    flag: `--${name}`,
    expected: EXPECTED[name] ?? 'a value',
    saw: `"${value}"`,
  });
}
