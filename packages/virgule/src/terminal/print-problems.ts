import { formatError } from '@virgule/core/errors';
import { createColors } from './colors.js';
import { fitFrame } from './fit-line.js';
import type { Io } from './io.js';
import { hangText } from './text-table.js';

const FRAME_LINE = /^[> ] *\d* \|/;
const FRAME = /(?:^[> ] *\d* \|.*\n)+/m;
/** Matches a line: its indentation with the word before a hint, and its text. */
const LINE = /^( *(?:Try: +)?)(.*)$/gm;
/** Minimum indentation of the further lines of a broken line. */
const INDENT = 2;

/** Returns an error as text whose lines are broken between words, and whose code frame is cut around its mark. */
export function fittedError(
  error: unknown,
  columns: number,
  style: NonNullable<Parameters<typeof formatError>[1]>,
): string {
  return formatError(error, style)
    .replace(FRAME, (frame) => fitFrame(frame, columns))
    .replaceAll(LINE, (line, start: string, text: string) =>
      FRAME_LINE.test(line)
        ? line
        : start + hangText(text, columns, Math.max(start.length, INDENT)),
    );
}

export function printProblems(problems: readonly unknown[], io: Io): void {
  const { bold, dim, red } = createColors(io.color);
  for (const problem of problems) {
    const text = fittedError(problem, io.columns, { strong: (strong) => bold(red(strong)), dim });
    io.stderr.write(`${io.redact(text)}\n\n`);
  }
}
