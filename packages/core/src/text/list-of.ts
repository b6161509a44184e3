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
