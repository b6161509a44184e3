import { parseArgs } from 'node:util';
import { didYouMean, listOf } from '@virgule/core/text';
import { createErrors } from './create-errors.js';
import { isPackageManager, PACKAGE_MANAGERS, type PackageManager } from './package-manager.js';

/** The text of `--help`. The templates follow, one per line. */
export const HELP_TEXT = `Usage: create-virgule [folder] [flags]

Creates a bot in a folder (default: my-bot). Asks for what no flag specifies.

  -t, --template <name>     one of the templates below (default: basic)
      --bare                basic without its samples: one command and its test
      --pm <name>           npm, pnpm, yarn or bun (default: the one in use)
  -y, --yes                 use the defaults without asking
      --install             install packages; --no-install skips it
      --dev                 install packages and start the bot (default: no)
      --merge               in a folder with files: write only missing files
      --json                print one line of JSON and nothing else
  -h, --help                show this help
  -v, --version             show the version

Without a terminal, or in CI, it asks nothing and installs only with --install.

Templates:
`;

const OPTIONS = {
  template: { type: 'string', short: 't' },
  bare: { type: 'boolean' },
  pm: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  install: { type: 'boolean' },
  dev: { type: 'boolean' },
  merge: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Parsed command line: the values of the passed flags by their names, and the folder as typed. */
export type CreateFlags = {
  readonly [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'boolean'
    ? boolean
    : string;
} & { readonly folder?: string; readonly pm?: PackageManager };

/** Switches that have a `--no-` form. */
const NEGATABLE = ['install', 'dev'];
const FLAGS = [...Object.keys(OPTIONS), ...NEGATABLE.map((name) => `no-${name}`)].map(
  (name) => `--${name}`,
);

/**
 * Parses the command line. If both a flag and its `--no-` form are given, the last one applies.
 *
 * @throws VirguleError `E_CREATE_ARGUMENTS`.
 */
export function parseFlags(argv: readonly string[]): CreateFlags {
  // Not strict: strict errors suggest no flag and do not name the expected value.
  const { tokens, values, positionals } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowNegative: true,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === 'option')
      checkOption(token.name, token.rawName, token.value, token.inlineValue);
  const [folder, ...others] = positionals;
  if (others.length > 0)
    throw createErrors.E_CREATE_ARGUMENTS({ kind: 'folders', folders: positionals });
  // Each value was checked by the name of its flag.
  return { ...values, ...(folder !== undefined && { folder }) } as CreateFlags;
}

/** @param flag - flag as typed: `-t` */
function checkOption(name: string, flag: string, value?: string, isInline = false): void {
  if (!FLAGS.includes(flag.startsWith('--') ? flag : `--${name}`)) {
    const closest = didYouMean(flag, FLAGS);
    throw createErrors.E_CREATE_ARGUMENTS({ kind: 'unknown-flag', flag, closest });
  }
  const refuse = (expected: string, saw = `"${value}"`): never => {
    throw createErrors.E_CREATE_ARGUMENTS({ kind: 'flag-value', flag, expected, saw });
  };
  if (name !== 'template' && name !== 'pm') {
    if (value !== undefined) refuse('no value');
    return;
  }
  const expected = name === 'pm' ? listOf(PACKAGE_MANAGERS, 'or') : 'the name of a template';
  if (value === '') refuse(expected, 'an empty value');
  if (value === undefined || (!isInline && value.startsWith('-'))) refuse(expected, 'nothing');
  else if (name === 'pm' && !isPackageManager(value)) refuse(expected);
}
