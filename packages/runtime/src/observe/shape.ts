import { isRecord } from '@virgule/core/objects';
import { UUID } from '@virgule/core/text';

/** Words, ids, marks and digits; everything else, such as quotes, spaces and signs, stays. */
const PARTS = new RegExp(String.raw`(${UUID})|[\p{L}\p{M}\p{N}_$]+`, 'giu');
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Returns a function that replaces letters by `x` and digits by `0` in all strings of a value, and ids by numbered ids. Each
 * string keeps its length. Times, numbers and the words of `source` and of the protocol stay; so do the keys of objects if `keepsKeys`.
 */
export function createShaper(source: string) {
  const known = new Set(`http https true false null ${source}`.match(/[\p{L}\p{M}\p{N}_$]+/gu));
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    const next = `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    const given = ids.get(id.toLowerCase()) ?? next;
    ids.set(id.toLowerCase(), given);
    return given;
  };
  const letters = (word: string): string =>
    word.replaceAll(/[\p{L}\p{M}\p{N}]/gu, (letter) => {
      const isUpper = letter !== letter.toLowerCase();
      return (/\p{N}/u.test(letter) ? '0' : isUpper ? 'X' : 'x').repeat(letter.length);
    });
  const text = (given: string): string =>
    TIME.test(given)
      ? given
      : given.replaceAll(PARTS, (word, id?: string) =>
          id ? numbered(id) : known.has(word) ? word : letters(word),
        );
  function shape(value: unknown, keepsKeys: boolean): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map((each) => shape(each, keepsKeys));
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [keepsKeys ? key : text(key), shape(member, keepsKeys)]),
    );
  }
  return shape;
}
