import type { VirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { SourceFile } from './project-paths.js';

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

/** Returns the first file of each key. That there are several for one is a problem. */
export function onePerKey(
  files: readonly SourceFile[],
  keyOf: (source: SourceFile) => string | undefined,
  whatIs: (key: string) => string,
  problems: VirguleError[],
): Map<string, string> {
  const byKey = new Map<string, string[]>();
  for (const source of files) {
    const key = keyOf(source);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), source.file]);
  }
  return new Map(
    [...byKey].map(([key, found]) => [key, oneFile(whatIs(key), found, problems) ?? '']),
  );
}
