const PREFIX = '00000000-0000-4000-8000-';

/** The id with this number: of uuid shape, and short to make and to read. */
export function idOf(index: number): string {
  return PREFIX + index.toString(16).padStart(12, '0');
}

/** The number of an id that `idOf` made, wherever in `text` it starts. */
export function indexOf(text: string, start: number): number {
  const digits = start + PREFIX.length;
  return Number.parseInt(text.slice(digits, digits + 12), 16);
}
