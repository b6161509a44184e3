/** Compares strings by their code units, for `sort`. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
