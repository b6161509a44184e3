import { formatError } from '@virgule/core/errors';
import { createColors } from './colors.js';
import { fitFrame } from './fit-line.js';
import type { Io } from './io.js';
import { wrapText } from './text-table.js';

const FRAME_LINE = /^[> ] *\d* \|/;
const FRAME = /(?:^[> ] *\d* \|.*\n)+/m;
/** Minimum indentation of the further lines of a broken line. */
const INDENT = 2;

/** Returns an error as text whose lines are broken between words, and whose code frame is cut around its mark. */
export function fittedError(
  error: unknown,
  columns: number,
  style: NonNullable<Parameters<typeof formatError>[1]>,
): string {
  const text = formatError(error, style);
  if (columns === Infinity) return text;
  return text
    .replace(FRAME, (frame) => fitFrame(frame, columns))
    .split('\n')
    .flatMap((line) => (FRAME_LINE.test(line) ? line : brokenLine(line, columns)))
    .join('\n');
}

function brokenLine(line: string, columns: number): string[] {
  const [start = ''] = /^ *(?:Try: +)?/.exec(line) ?? [];
  const indent = Math.max(start.length, INDENT);
  const parts = wrapText(line.slice(start.length), columns - indent);
  return parts.map((part, index) => (index === 0 ? start : ' '.repeat(indent)) + part);
}

export function printProblems(problems: readonly unknown[], io: Io): void {
  const { bold, dim, red } = createColors(io.color);
  for (const problem of problems) {
    const text = fittedError(problem, io.columns, { strong: (strong) => bold(red(strong)), dim });
    io.stderr.write(`${io.redact(text)}\n\n`);
  }
}
