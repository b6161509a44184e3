import { UUID } from '../text/uuid.js';
import { parseDuration } from '../text/parse-duration.js';
import type { ExpectedWord } from './line-option.js';

/** Decimal, with an optional exponent: `7`, `-0.5`, `.5`, `1e3`. Neither hexadecimal nor `Infinity`. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const TRUE = ['true', 'yes', 'y', 'on', '1'];
const FALSE = ['false', 'no', 'n', 'off', '0'];

/** Returns the finite number in a string, or `undefined`. The minus sign may be U+2212, as phones and spreadsheets write it. */
export function parseNumber(typed: string): number | undefined {
  const plain = typed.replace(/^\u2212/, '-');
  const value = NUMBER.test(plain) ? Number(plain) : Infinity;
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the boolean for a word such as `yes` or `off`, in any case, or `undefined`. */
export function parseBoolean(typed: string): boolean | undefined {
  const word = typed.toLowerCase();
  return TRUE.includes(word) || (FALSE.includes(word) ? false : undefined);
}

/** Returns a test for an id, or for a word that begins in another way: `<@id>`, `@ada`. */
const idOr = (other = ''): ((word: string) => boolean) => {
  const pattern = new RegExp(`^(?:${UUID}$${other})`, 'i');
  return (word) => pattern.test(word);
};

/** Tests of the kinds that a word shows by its form. The form of references is assumed. */
const FORMS: ReadonlyMap<string, (word: string) => boolean> = new Map([
  ['integer', (word) => parseNumber(word) !== undefined],
  ['number', (word) => parseNumber(word) !== undefined],
  ['boolean', (word) => parseBoolean(word) !== undefined],
  ['duration', (word) => parseDuration(word) !== undefined],
  ['uuid', idOr()],
  ['guid', idOr()],
  ['message', idOr('|https?://')],
  ['user', idOr('|<@(?!&)|@.')],
  ['role', idOr('|<@&|@.')],
  ['mentionable', idOr('|<?@.')],
  ['channel', idOr('|<?#.')],
]);

/** Returns whether a word has the form of an expected value. A value out of range has it too; a kind without a form has any word. */
export function hasForm(word: string, { kind, choices }: ExpectedWord): boolean {
  const folded = word.toLowerCase();
  if (choices) return choices.some((choice) => choice.toLowerCase() === folded);
  return FORMS.get(kind)?.(word) ?? true;
}
