/** Decimal, with an optional exponent: `7`, `-0.5`, `.5`, `1e3`. Neither hexadecimal nor `Infinity`. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['n', false],
  ['off', false],
  ['0', false],
]);

/** Returns the finite number in a string, or `undefined`. The minus sign may be U+2212, as phones and spreadsheets write it. */
export function parseNumber(typed: string): number | undefined {
  const plain = typed.replace(/^\u2212/, '-');
  const value = NUMBER.test(plain) ? Number(plain) : Infinity;
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the boolean for a word such as `yes` or `off`, in any case, or `undefined`. */
export function parseBoolean(typed: string): boolean | undefined {
  return BOOLEAN_WORDS.get(typed.toLowerCase());
}
