import type { Flags } from './arguments.js';
import type { CliCommand } from './command.js';
import { hangText, wrapText } from './text-table.js';

export const COMMON_FLAGS = {
  cwd: { type: 'string', value: 'DIR', about: 'Run in this folder' },
} as const satisfies Flags;

/** Flag of commands that read settings of a platform. */
export const MODE_FLAG = {
  mode: {
    type: 'string',
    value: 'NAME',
    about: 'Use .env.NAME, and targets.NAME of the configuration',
  },
} as const satisfies Flags;

/** Returns the text of `virgule --help`, for lines of this many characters. */
export function overview(commands: readonly CliCommand[], version: string, columns: number) {
  return [
    ...wrapText(`virgule ${version}: turns a folder of files into a slash-command bot`, columns),
    '',
    'Usage: virgule <command> [flags]',
    '',
    ...table(
      commands.map(({ name, words, about }) => [`${name} ${words}`.trim(), about]),
      columns,
    ),
    '',
    'Run `virgule <command> -h` for its flags.',
    '',
  ].join('\n');
}

/** Returns the text of `virgule <command> --help`, for lines of this many characters. */
export async function commandHelp(command: CliCommand, columns: number): Promise<string> {
  const { name, words, about, flags, examples, exits = DEFAULT_EXITS } = command;
  const rows = Object.entries({ ...flags, ...COMMON_FLAGS }).map(
    ([flag, { about: text, value }]): [string, string] => [flagText(flag, value), text],
  );
  const actions = Object.entries((await command.actions?.()) ?? {}).map(
    ([action, each]): [string, string] => [`${action} ${each.words}`.trim(), each.about],
  );
  return [
    ...wrapText(about, columns),
    '',
    `Usage: virgule ${[name, words, '[flags]'].filter(Boolean).join(' ')}`,
    '',
    ...(actions.length === 0 ? [] : ['Actions:', ...table(actions, columns), '', 'Flags:']),
    ...table([...rows, ['-h, --help', 'Show this text']], columns),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
    'Exit codes:',
    ...table(Object.entries({ ...INTERRUPTED, ...exits }), columns),
    '',
  ].join('\n');
}

/** Returns a flag as it is written: `-p, --port N`, `--allow-delete[=NAMES]`. */
export function flagText(flag: string, value = ''): string {
  const short = flag === 'port' ? '-p, ' : '';
  return `${short}--${flag}${value === '' || value.startsWith('[=') ? '' : ' '}${value}`;
}

const DEFAULT_EXITS: Readonly<Record<number, string>> = { 0: 'done', 1: 'an error' };
const INTERRUPTED: Readonly<Record<number, string>> = { 130: 'interrupted by Ctrl+C or SIGTERM' };

/** Formats two columns: the left one is never wrapped, the right one is indented to its column. */
function table(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const indent = '  '.length + width + '  '.length;
  const fit = (text: string): string =>
    hangText(text, Math.max(columns, indent + MIN_TEXT_WIDTH), indent);
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${fit(right)}`);
}

/** Minimum width of a text column; narrower columns would break words. */
const MIN_TEXT_WIDTH = 12;
