import { stripVTControlCharacters } from 'node:util';
import { systemClock } from '@virgule/core/clock';
import { createColors } from '../../terminal/colors.js';
import { widthOf } from '../../terminal/fit-line.js';
import type { Io } from '../../terminal/io.js';
import { openBrowser } from '../../terminal/open-browser.js';
import { version } from '../../terminal/version.js';
import type { DevFlags } from '../dev-flags.js';
import type { DevReport } from './dev-report.js';
import { createDevText } from './dev-text.js';

/** Output of `virgule dev`: reports, texts and log lines. */
export type DevOutput = ReturnType<typeof createDevOutput>;

export function createDevOutput({ json, once }: DevFlags, io: Io) {
  const { color } = io;
  const columns = (): number | undefined => (io.columns === Infinity ? undefined : io.columns);
  const toText = createDevText({
    color,
    version,
    now: () => systemClock.now(),
    columns,
    keys: io.interactive,
    once,
  });
  const write = (text: string): void => void io.stdout.write(text);
  const print = createRepeatPrinter(write, columns, color);

  function report(event: DevReport): void {
    if (json) io.stdout.write(`${JSON.stringify({ v: 1, ...event })}\n`);
    else {
      const text = toText(event);
      // A report that repeats an earlier one has no text.
      if (text !== '') print(text);
    }
  }
  const notice = (text: string): void => report({ type: 'notice', text });

  return {
    report,
    notice,
    /** Opens a page in the browser, or reports the reason why it cannot. */
    async open(page: string): Promise<void> {
      const reason = await openBrowser(page, io.env);
      if (reason !== undefined)
        notice(`The browser could not be opened (${reason}). The page: ${page}`);
    },
    /** Writes text that is not a report, such as help or a cleared screen. */
    write,
    /** Receives the lines of a log. */
    log: {
      write: (line: string): void =>
        report({ type: 'output', stream: 'stderr', line: line.trimEnd(), log: true }),
    },
  };
}

/**
 * Creates a printer of texts. A repeated line replaces the previous one, with a count.
 * @param columns - returns `undefined` off a terminal, where nothing can be replaced.
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
