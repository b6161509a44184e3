import type { ErrorContext, VirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** Returns the error that several files define the same thing. */
type Conflict = (key: string, files: readonly string[], context: ErrorContext) => VirguleError;

/** Returns the conflict of things that are called as `whatOf` returns. */
export const fileConflict =
  (whatOf: (key: string) => string): Conflict =>
  (key, files, context) =>
    runtimeErrors.E_FILE_CONFLICT({ kind: 'file', what: whatOf(key), files }, context);

/** Returns the first file of each key, sorted by key. That there are several for one is a problem. */
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
