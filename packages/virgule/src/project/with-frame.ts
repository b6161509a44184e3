import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VirguleError } from '@virgule/core/errors';
import { codeFrame } from '../loader/code-frame.js';

/** Returns a problem with the lines around its location, where it names a line and does not show them yet. */
export function withFrame(problem: VirguleError, root: string): VirguleError {
  const { code, kind, message, hint, details, location, cause } = problem;
  if (location?.line === undefined || details['frame']) return problem;
  const { file, line, column } = location;
  const frame = codeFrame(readText(resolve(root, file)), { line, column });
  if (frame === '') return problem;
  return new VirguleError({
    code,
    kind,
    message,
    hint,
    details: { ...details, frame },
    location,
    cause,
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was deleted meanwhile: the problem is reported without its lines.
    return '';
  }
}
