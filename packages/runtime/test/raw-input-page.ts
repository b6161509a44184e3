import { formatUsage, type InputCommand } from '../src/raw-input/format-usage.js';
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

/** The page of the documentation that writes out every case of the table. */
export function rawInputPage(): string {
  const sections = Object.entries(rawInputSections).map(([title, cases]) => [
    `## ${title}`,
    '',
    ...table(['what it shows', 'the line', 'what becomes of it'], cases.map(caseRow)),
    '',
  ]);
  return `${[
    '# Raw input, case by case',
    '',
    '<!-- Written by `node .scripts/write-pages.mjs` from packages/runtime/test/samples/raw-input-cases.ts. -->',
    '',
    `Only the typed line reaches a bot. These are the rules by which its words become the options of a`,
    `command, as ${rawInputCases.length} lines; each is a test of the runtime. [What users type](../guide/options) is the`,
    'same in short.',
    '',
    'In the lines `⏎` is a line break, `⇥` a tab, and `·` a space that would not be seen otherwise; other',
    'characters without a shape stand by their number, as `[U+200F]`. A line that is refused is answered',
    'with the sentence and the usage of its command, and its handler does not run.',
    '',
    'The lines are read by these commands:',
    '',
    ...table(
      ['usage', 'options'],
      COMMANDS.map((command) => [
        code(formatUsage(command)),
        command.spec.options
          .map(({ name, type, expected }) => `${code(name)} ${type}: ${escapeText(expected)}`)
          .join('<br>') || 'none',
      ]),
    ),
    '',
    ...sections.flat(),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function caseRow({ about, typed, gives, refuses }: RawInputCase): string[] {
  return [
    escapeText(about),
    typed === '' ? 'nothing' : code(visible(typed)),
    gives ? code(visible(objectText(gives))) : `refused: ${code(visible(refuses ?? ''))}`,
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

/** A text whose white space can be seen. */
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

/** A code span, also of a text with backticks. */
function code(text: string): string {
  const [longest = ''] = (text.match(/`+/g) ?? []).toSorted((a, b) => b.length - a.length);
  const fence = '`'.repeat(longest.length + 1);
  return longest === '' ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const escapeText = (text: string): string => text.replace(/[<>*_]/g, String.raw`\$&`);
