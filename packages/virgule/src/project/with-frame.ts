import { resolve } from 'node:path';
import { changeError, type VirguleError } from '@virgule/core/errors';
import { codeFrame } from '../loader/code-frame.js';
import { readSource } from '../loader/read-source.js';

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
