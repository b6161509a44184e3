/** Returns a count with its noun: `1 file`, `0 files`, `3 entries`. @defaultValue the noun with an s for `plural` */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
