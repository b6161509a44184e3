import type { VirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** Returns the first of the files for one thing. That there are several is a problem. */
export function oneFile(
  what: string,
  files: readonly string[],
  problems: VirguleError[],
): string | undefined {
  const [first, second] = files;
  if (second !== undefined)
    problems.push(runtimeErrors.E_FILE_CONFLICT({ what, files }, { location: { file: second } }));
  return first;
}
