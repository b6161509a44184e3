import type { CliCommand } from './command.js';

/** The text of `virgule --help`. */
export function overview(commands: readonly CliCommand[], version: string): string {
  return [
    `virgule ${version}: a folder of files becomes a bot of slash commands`,
    '',
    'Usage: virgule <command> [flags]',
    '',
    ...table(commands.map(({ name, words, about }) => [`${name} ${words}`.trim(), about])),
    '',
    'Run `virgule <command> --help` for its flags.',
    '',
  ].join('\n');
}

/** The text of `virgule <command> --help`. */
export function commandHelp({ name, words, about, flags, examples }: CliCommand): string {
  const rows = Object.entries(flags).map(([flag, { about: text, value }]): [string, string] => [
    `--${flag}${value ? ` ${value}` : ''}`,
    text,
  ]);
  return [
    about,
    '',
    `Usage: virgule ${[name, words, '[flags]'].filter(Boolean).join(' ')}`,
    '',
    ...table([...rows, ['--help', 'Show this text']]),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
