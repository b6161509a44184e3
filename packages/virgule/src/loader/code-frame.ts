import { relative, resolve } from 'node:path';
import { changeError, formatLocation, type VirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { readSource } from './read-source.js';
import { thrownAt } from './stack-traces.js';

/** Number of lines shown above and below the marked line. */
const CONTEXT_LINES = 2;
/** Width limit in characters. A longer line is cut around the column, so that the mark stays visible. */
const MAX_WIDTH = 100;
const MARGIN = 20;
/** Matches everything except tabs, which stay in the mark line so that the mark aligns at every tab width. */
const NO_TAB = /[^\t]/gu;

/** Returns the lines of `source` around a place, with numbers and a mark; empty when the line does not exist. */
export function codeFrame(
  source: string,
  { line, column }: { readonly line: number; readonly column?: number | undefined },
): string {
  const lines = source.split(/\r\n|\r|\n/);
  if (line < 1 || line > lines.length) return '';
  const first = Math.max(1, line - CONTEXT_LINES);
  const last = Math.min(lines.length, line + CONTEXT_LINES);
  const gutter = String(last).length;
  const wanted = lines[line - 1] ?? '';
  const mark = column === undefined ? undefined : Math.min(Math.max(column - 1, 0), wanted.length);
  const from = mark !== undefined && mark >= MAX_WIDTH ? mark - MAX_WIDTH + MARGIN : 0;
  const cut = (text: string): string => text.slice(from, from + MAX_WIDTH).trimEnd();

  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const marker = number === line ? '>' : ' ';
    const label = `${marker} ${String(number).padStart(gutter)} |`;
    frame.push(`${label} ${cut(lines[number - 1] ?? '')}`.trimEnd());
    if (number === line && mark !== undefined)
      frame.push(`  ${' '.repeat(gutter)} | ${wanted.slice(from, mark).replace(NO_TAB, ' ')}^`);
  }
  return frame.join('\n');
}

/**
 * Returns a log that adds the place where an error was thrown, from the folder `root`, as `where`, and the source lines
 * around it as `frame`.
 */
export function withCodeFrames(log: Log, root: string): Log {
  const framed = (details: object): object => {
    for (const value of Object.values(details)) {
      const place = thrownAt(value);
      if (!place) continue;
      const where = formatLocation({ ...place, file: relative(root, place.file) });
      return { ...details, where, frame: codeFrame(place.text, place) };
    }
    return details;
  };
  const result: Log = Object.create(log);
  result.error = (details, message) => log.error(framed(details), message);
  return result;
}

/** Returns a problem with the lines around its location, if it names a line and has no frame yet. */
export function withFrame(problem: VirguleError, root: string): VirguleError {
  const { details, location } = problem;
  if (location?.line === undefined || details['frame']) return problem;
  const { file, line, column } = location;
  // A file that was deleted after the problem has no lines to show.
  const frame = codeFrame(readSource(resolve(root, file)) ?? '', { line, column });
  if (frame === '') return problem;
  return changeError(problem, { details: { ...details, frame } });
}
