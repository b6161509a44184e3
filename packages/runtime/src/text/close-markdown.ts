import { readFences } from './split-content.js';

/** Escapes, links, inline code, and addresses without the punctuation and marks at their end, which white space shows. */
const WHOLE =
  /\\[^]|\[[^[\]\n]{1,500}\]\([^\s()<>]+\)|(?=(?<ticks>`+))\k<ticks>[^]*?\k<ticks>|(?<!\w)https?:\/\/\S*?(?=[<>`*~|_.,;:!?)]*\s)/;
/** Ends of a text that its continuation changes: marks of a block, and halves of escapes, links, mentions, addresses and code. */
const HALF =
  /(?<![^\n])[ \t>]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})\s*$|\\$|\[+[^[\]\n]{0,500}(?:\](?:\([^\s()<>]*)?)?$|<(?:[@#][^\s<>]*)?$|(?<!\w)https?:\/\/\S*$|(?<code>`+)/;
const TOKEN = new RegExp(`${WHOLE.source}|(?<half>${HALF.source})|(?<mark>[*]+|_+|~+|[|]+)`, 'g');

/** Start of another block: a blank line, an item of a list, a heading, or a block quote. Formats end there. */
const BLOCK =
  /\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t])|\n[ \t]*\n|(?<!^[ \t]*>.*)\n(?=[ \t]*>)/m;

/** Marks that are text unless they are doubled. */
const SINGLE = new Set(['~', '|']);

const WORD = /[\p{L}\p{N}_]/u;

/**
 * Closes the Markdown that is open at the end of an unfinished text, and leaves out an end that only its continuation can show,
 * such as half a link or half a mark.
 */
export function closeMarkdown(text: string): string {
  const { open: fence, closedAt } = readFences(text);
  if (fence) {
    // The last line may be half of the closing marker.
    const code = text.replace(/\n[ >]*[`~]*\s*$/, '').trimEnd();
    if (code.length <= fence.bodyAt) return closeMarkdown(text.slice(0, fence.at));
    return `${code}\n${fence.quote}${fence.marker}`;
  }
  const block = text.slice(closedAt).split(BLOCK).at(-1) ?? '';
  // The last backticks may be half of a closing mark.
  const body = text.replace(/[\s`]+$/, '');
  const open: string[] = [];
  for (const { 0: token, index, groups: { half, code, mark } = {} } of block.matchAll(TOKEN)) {
    const at = text.length - block.length + index;
    const end = at + token.length;
    if (code !== undefined && body.length > end) return body + code + open.toReversed().join('');
    if (half !== undefined) return closeMarkdown(text.slice(0, at));
    const left = mark === undefined ? 0 : applyMark(open, mark, text[at - 1], text[end]);
    if (left > 0 && end === text.length) return closeMarkdown(text.slice(0, end - left));
  }
  return text.trimEnd() + open.toReversed().join('');
}

/** Closes and opens formats by a run of a mark. Returns the number of its characters without effect. */
function applyMark(open: string[], run: string, before = ' ', after = ' '): number {
  const [mark = ''] = run;
  const isInWord = (char: string): boolean => mark === '_' && WORD.test(char);
  const canClose = !/\s/.test(before) && !isInWord(after);
  const canOpen = !/\s/.test(after) && !isInWord(before);
  let left = run.length;
  // The formats of `***` may end in any order.
  if (left === 2 && open.slice(-2).join('+') === `${run}+${mark}`) open.splice(-2, 2, mark, run);
  while (left > 0) {
    const max = left;
    const isEnded = (each: string): boolean => each.startsWith(mark) && each.length <= max;
    const at = canClose ? open.findLastIndex(isEnded) : -1;
    const format = open[at] ?? mark.repeat(Math.min(left, 2));
    if (at >= 0) open.length = at;
    else if (!canOpen || open.includes(format) || SINGLE.has(format)) break;
    else open.push(format);
    left -= format.length;
  }
  return left;
}
