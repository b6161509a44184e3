import { formatError } from '@virgule/core/errors';
import { createColors } from './colors.js';
import type { Io } from './io.js';

export function printProblems(problems: readonly unknown[], io: Io): void {
  const { bold, dim, red } = createColors(io.color);
  for (const problem of problems) {
    const text = formatError(problem, { strong: (strong) => bold(red(strong)), dim });
    io.stderr.write(`${io.redact(text)}\n\n`);
  }
}
