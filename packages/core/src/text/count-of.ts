/**
 * Returns a count with its noun: `1 file`, `0 files`, `3 entries`.
 *
 * @param plural - the form for every count but 1. @defaultValue the noun with an s
 */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
