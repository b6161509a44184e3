import { formatUsage, type InputCommand } from '../src/command/raw-input/format-usage.js';
import { readOptions } from '../src/options/read-options.js';
import {
  rawInputCases,
  rawInputCommands,
  rawInputSections,
  type RawInputCase,
} from './samples/raw-input-cases.js';

const COMMANDS: readonly InputCommand[] = Object.entries(rawInputCommands).map(
  ([name, schema]) => ({
    name,
    spec: readOptions(schema, { file: `commands/${name}.ts` }).spec,
  }),
);

/** Returns the documentation page that lists every case of the table. */
export function rawInputPage(): string {
  const sections = Object.entries(rawInputSections).map(([title, cases]) => [
    `## ${title}`,
    '',
    ...table(['case', 'input', 'result'], cases.map(caseRow)),
    '',
  ]);
  return `${[
    '# Raw input, case by case',
    '',
    '<!-- Written by `node packages/tools/write-pages.mjs` from packages/runtime/test/samples/raw-input-cases.ts. -->',
    '',
    'A bot receives only the raw text that the user typed. This page shows how Virgule converts the words of this',
    `input into command options, in ${rawInputCases.length} cases. Each case is a test of the runtime. For a summary, see`,
    '[User input](../guide/options.md#user-input).',
    '',
    'In the input, `⏎` is a line break, `⇥` is a tab, and `·` is a space that would otherwise be invisible. Other',
    'invisible characters are shown as their code points, such as `[U+200F]`. If the input is invalid, the handler',
    'does not run, and the bot answers with the error shown and the usage of the command.',
    '',
    'The cases use the following commands:',
    '',
    ...table(
      ['usage', 'options'],
      COMMANDS.map((command) => [
        code(formatUsage(command)),
        command.spec.options
          .map(({ name, type, expected }) => `${code(name)} ${type}: ${escapeText(expected.text)}`)
          .join('<br>') || 'none',
      ]),
    ),
    '',
    ...sections.flat(),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function caseRow({ about, typed, returns, refuses }: RawInputCase): string[] {
  return [
    escapeText(about),
    typed === '' ? '(empty)' : code(visible(typed)),
    returns ? code(visible(objectText(returns))) : `error: ${code(visible(refuses ?? ''))}`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** `{ sides: 20, who: { id: "…" } }`. */
function objectText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    return `${name}: ${objectText(inner)}`;
  });
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Returns the text with its whitespace made visible. */
function visible(text: string): string {
  return text
    .replaceAll('\n', '⏎')
    .replaceAll('\t', '⇥')
    .replace(/^ +| +$| {2,}/g, (spaces) => '·'.repeat(spaces.length))
    .replace(
      /[\u00a0\u200e\u200f\u2028\u2029\u3000\ufeff]/g,
      (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

/** Returns a code span; the text may contain backticks. */
function code(text: string): string {
  const [longest = ''] = (text.match(/`+/g) ?? []).toSorted((a, b) => b.length - a.length);
  const fence = '`'.repeat(longest.length + 1);
  return longest === '' ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const escapeText = (text: string): string => text.replace(/[<>*_]/g, String.raw`\$&`);
