import { stripVTControlCharacters } from 'node:util';
import { createColors } from '../../terminal/colors.js';
import { widthOf } from '../../terminal/fit-line.js';

/**
 * Creates a printer of texts. A line that repeats the previous line replaces it, with the number of repetitions.
 *
 * @param columns - returns the width of the terminal; `undefined` off a terminal, where written text cannot be
 * replaced
 */
export function createRepeatPrinter(
  write: (text: string) => void,
  columns: () => number | undefined,
  color: boolean,
): (text: string) => void {
  const { dim } = createColors(color);
  let before = '';
  let times = 1;

  return (text) => {
    const width = columns();
    // A longer text cannot fit on one row, whatever its characters, and needs no further check.
    const mayFit = width !== undefined && text.length <= width * MAX_LENGTH_PER_COLUMN;
    if (!mayFit || text.indexOf('\n') !== text.length - 1) {
      before = '';
      write(text);
      return;
    }
    const meaning = meaningOf(text);
    times = meaning === before ? times + 1 : 1;
    before = meaning;
    const counted = withCount(text.trimEnd(), dim(`(x${times})`));
    if (times === 1 || widthOf(counted, width) > width) write(text);
    else write(`\u001B[1A\r\u001B[2K${counted}\n`);
  };
}

/** Maximum number of code units per column: emoji of families and colors consist of many. */
const MAX_LENGTH_PER_COLUMN = 16;

/** Inserts a count into the gap before the duration at the end of a line, or appends the count. */
function withCount(line: string, count: string): string {
  // oxlint-disable-next-line no-control-regex -- the escape sequences of colors.
  const gap = / {2,}(?=(?:\u001B\[\d+m)*\d+ ms)/.exec(line);
  const blanks = (gap?.[0].length ?? 0) - widthOf(count);
  if (!gap || blanks < 3) return `${line}  ${count}`;
  return `${line.slice(0, gap.index)}  ${count}${' '.repeat(blanks - 2)}${line.slice(gap.index + gap[0].length)}`;
}

/** Returns a text without its time and its duration. */
const meaningOf = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/^\d\d:\d\d:\d\d /, '')
    .replace(/ +\d+ ms$/m, '');
