import type { ErrorContext, VirguleError } from '@virgule/core/errors';
import { scanErrors } from '../errors/scan-errors.js';

export type Conflict = (key: string, files: readonly string[], at: ErrorContext) => VirguleError;

/** Returns a function that creates the conflict error. `whatOf` returns the name of the conflicting thing for a key. */
export const fileConflict =
  (whatOf: (key: string) => string): Conflict =>
  (key, files, at) =>
    scanErrors.E_FILE_CONFLICT({ kind: 'file', what: whatOf(key), files }, at);

/** Returns the first item of each key, sorted by key. Reports each key with several items as a problem. */
export function onePerKey<Item extends { readonly file: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  conflictOf: Conflict,
  problems: VirguleError[],
): Item[] {
  const byKey = new Map<string, Item[]>();
  for (const item of items) byKey.set(keyOf(item), [...(byKey.get(keyOf(item)) ?? []), item]);
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, found]) => {
      const files = found.map(({ file }) => file);
      if (files[1] !== undefined)
        problems.push(conflictOf(key, files, { location: { file: files[1] } }));
      return found.slice(0, 1);
    });
}
