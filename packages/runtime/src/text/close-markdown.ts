import { readFences } from './split-content.js';

/** Tokens: whole links and escapes, halves of these at the end of the text, addresses, and runs of a mark. */
const TOKEN =
  /(?<whole>\\[^]|\[[^[\]\n]{1,500}\]\([^\s()<>]+\))|(?<half>\\$|\[+[^[\]\n]{0,500}(?:\](?:\([^\s()<>]*)?)?$|<(?:[@#][^\s<>]*)?$)|(?<url>(?<!\w)https?:\/\/\S*)|`+|\*+|_+|~+|\|+/g;

/** Punctuation and marks after an address, which do not belong to the address. */
const AFTER_URL = /[<>`*~|_.,;:!?)]+$/;

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
  const { isWhole, at, closing } = readBlock(block);
  const kept = text.slice(0, text.length - block.length + at);
  return isWhole ? kept.trimEnd() + closing : closeMarkdown(kept);
}

/** Returns the marks that close a block, or the index of an end that has to be left out. */
function readBlock(block: string) {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(block);
    const closing = open.toReversed().join('');
    if (!found) return { isWhole: true, at: block.length, closing };
    const { 0: token, index, groups } = found;
    at = index + token.length;
    const { whole, half, url } = groups ?? {};
    // The end of an address is unknown until white space follows.
    if (half !== undefined || (url !== undefined && at === block.length))
      return { isWhole: false, at: index, closing };
    if (url !== undefined) at = index + url.replace(AFTER_URL, '').length;
    if (whole !== undefined || url !== undefined) continue;
    if (token.startsWith('`')) {
      const end = block.indexOf(token, at);
      if (end >= 0) {
        at = end + token.length;
        continue;
      }
      // The last backticks may be half of the closing mark.
      const code = block.replace(/[\s`]+$/, '');
      if (code.length <= at) return { isWhole: false, at: index, closing };
      return { isWhole: true, at: code.length, closing: token + closing };
    }
    const left = applyMark(open, token, block[index - 1], block[at]);
    if (left > 0 && at === block.length) return { isWhole: false, at: at - left, closing };
  }
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
    const at = open.findLastIndex((each) => each.startsWith(mark) && each.length <= max);
    const format = canClose && at >= 0 ? (open[at] ?? '') : mark.repeat(Math.min(left, 2));
    if (canClose && at >= 0) open.length = at;
    else if (!canOpen || open.includes(format) || SINGLE.has(format)) break;
    else open.push(format);
    left -= format.length;
  }
  return left;
}
