import { stripVTControlCharacters } from 'node:util';

/** Matches letters that are shown as an emoji, which take two columns, as wide letters do. */
const EMOJI = /\ufe0f|\p{Emoji_Presentation}/u;
/** Matches marks without a letter, joiners and the like, which take no column. */
const INVISIBLE = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;
/** Matches letters that take two columns: Hangul, CJK, Yi, full-width forms, Tangut, historic Kana, later CJK. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** Bounds the work for a text of marks that take no column. The longest emoji has 14 code units and takes two columns. */
const MAX_CODE_UNITS_PER_COLUMN = 32;

/**
 * Returns the letters of a text: emojis, and code points. `Intl.Segmenter` takes a minute for 100,000 letters. Most commands
 * print no emoji, and V8 takes 10 ms to create the expression, so it is created here.
 */
const lettersOf = (text: string) => text.matchAll(new RegExp(String.raw`\p{RGI_Emoji}|.`, 'gsv'));

/**
 * Returns the number of columns of a text. Counting ends at `limit`, above which the result is not exact. A text with more
 * than 32 code units for each column of `limit` is too wide.
 */
export function widthOf(text: string, limit = Infinity): number {
  // Printable ASCII characters and most of our own marks take one column each.
  if (/^[ -~…▸➜✓✗]*$/.test(text)) return text.length;
  if (text.length > limit * MAX_CODE_UNITS_PER_COLUMN) return limit + 1;
  let width = 0;
  for (const [letter] of lettersOf(stripVTControlCharacters(text))) {
    width += letterWidth(letter);
    if (width > limit) break;
  }
  return width;
}

function letterWidth(letter: string): number {
  if (EMOJI.test(letter)) return 2;
  if (INVISIBLE.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}

/** Pads a text with spaces to a width in columns. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text, columns)));

/** Returns the beginning of a plain text that fits into a number of columns. */
export function beginningOf(text: string, columns: number): string {
  let left = columns;
  const bounded = text.slice(0, columns * MAX_CODE_UNITS_PER_COLUMN);
  for (const { 0: letter, index } of lettersOf(bounded)) {
    left -= letterWidth(letter);
    if (left < 0) return text.slice(0, index);
  }
  return bounded;
}

/** Cuts a plain text to a number of columns, and marks the cut. */
export const cutTo = (text: string, columns: number): string =>
  widthOf(text, columns) <= columns ? text : `${beginningOf(text, columns - 1)}…`;

/** Cuts the lines of a code frame to a terminal's width, around the mark, so that the mark stays visible. */
export function fitFrame(frame: string, columns: number): string {
  const lines = frame.split('\n');
  const gutter = (lines[0]?.indexOf('|') ?? -1) + 2;
  const room = columns - gutter;
  if (gutter < 2 || room < 10 || lines.every((line) => widthOf(line, columns) <= columns))
    return frame;
  const marked = lines.find((line) => /^ *\|\s*\^$/.test(line));
  const mark = marked === undefined ? 0 : marked.length - 1 - gutter;
  // A third of the width stays after the mark.
  const from = Math.max(0, mark - Math.floor((room * 2) / 3));
  return lines
    .map((line) => {
      const head = line.slice(0, gutter);
      const text = line.slice(gutter + from);
      return (
        head + cutTo(from > 0 && text !== '' && line !== marked ? `…${text.slice(1)}` : text, room)
      );
    })
    .join('\n');
}
