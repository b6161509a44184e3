import fc from 'fast-check';
import { CHANNEL } from './ids.js';

const word = fc.constantFrom('alpha', 'beta gamma', 'é🎲', 'x1');
const link = fc.constantFrom('[the docs](https://a.b/c_d)', `<@${CHANNEL}>`, 'https://a.b/c?d=e f');
const code = word.map((text) => `\`${text}\``);
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc
    .array(fc.oneof({ maxDepth: 3 }, word, code, link, format(tie('inline'))), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join(' ')),
}));
function format(inside: fc.Arbitrary<string>): fc.Arbitrary<string> {
  // A format within the same format would end the outer one.
  const marks = fc.constantFrom('**', '*', '~~', '||');
  return fc
    .tuple(marks, inside)
    .filter(([mark, text]) => !text.includes(mark) && !/https?:\S*$/.test(text))
    .map(([mark, text]) => `${mark}${text}${mark}`);
}
const block = fc.oneof(
  inline,
  inline.map((text) => `- ${text}\n- alpha`),
  inline.map((text) => `> ${text}`),
  word.map((text) => `\`\`\`ts\n${text}\n\n${text}\n\`\`\``),
);
/** Markdown as models write it: paragraphs, lists, quotes and code blocks with formats, links, mentions and addresses. */
export const markdownTexts = fc
  .array(block, { minLength: 1, maxLength: 3 })
  .map((blocks) => blocks.join('\n\n'));

/** Returns what is wrong with a state of an unfinished text: it may show no mark, and only what the whole text shows. */
export function faultOf(state: string, text: string): string | undefined {
  const shown = visible(state);
  if (/(?:^|\n)[->]$/.test(state) || /[*_~|`[\]()<>]/.test(shown)) return `mark: ${state}`;
  return visible(text).startsWith(shown) ? undefined : `not in the text: ${state}`;
}

/** A format around text without marks: the inmost one. */
const FORMAT = /(\*\*|\*|~~|\|\|)([^*~|\s](?:[^*~|]*[^*~|\s])?)\1/g;

/** Returns what a user sees of a text, without white space and the marks of lists and quotes. */
function visible(text: string): string {
  let shown = text
    .replaceAll(/^```\w*\n([^]*?)\n```$/gm, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/<(@[\w-]+)>/g, '$1');
  for (let last = ''; last !== shown;) {
    last = shown;
    shown = last.replaceAll(FORMAT, '$2');
  }
  return shown.replaceAll(/[\s>-]/g, '');
}
