import { stripVTControlCharacters } from 'node:util';
import { createColors } from '../../terminal/colors.js';
import { widthOf } from '../../terminal/fit-line.js';

/**
 * Writes texts; a line that says the same as the one before it is written over that, with how often it came.
 *
 * @param columns - returns how wide the terminal is; `undefined` off a terminal, where nothing written can be taken back
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
    // A text as long as this fits no row, whatever it consists of: it is not looked at any closer.
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

/** How many code units a column may take: emoji of families and colors take many. */
const MAX_LENGTH_PER_COLUMN = 16;

/** Puts a count into the gap before the figure at the end of a line, or else behind the line. */
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
