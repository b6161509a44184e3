/** Compares strings by their code units, for `sort`. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns a count with its noun: `1 file`, `0 files`, `3 entries`. @defaultValue the noun with an s for `plural` */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** Returns items as a list in a sentence: `a`, `a and b`, `a, b and c`. Returns an empty string without items. */
export function listOf(items: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** Returns the names of commands in a list: `a` and `b` from `a, /b`. */
export function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^\//, ''))
    .filter((name) => name !== '');
}

/** Returns the text on one line: trimmed, and with one space in place of each run of white space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
