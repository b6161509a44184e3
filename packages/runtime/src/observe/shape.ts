import { isRecord } from '@virgule/core/objects';
import { UUID } from '@virgule/core/text';

/** Words and ids; everything else, such as quotes, spaces, signs and emojis, stays. */
const WORD = String.raw`[\p{Alphabetic}\p{N}_$][\p{Alphabetic}\p{M}\p{N}_$]*`;
const PARTS = new RegExp(`(${UUID})|${WORD}`, 'giu');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/**
 * Returns a function that removes secrets from all strings and numbers of a value. With `source`, it also replaces letters by `x` and
 * digits by `0`, and ids by numbered ids. Each string keeps its length then. Times, numbers and the words of `source` and of the
 * protocol stay; so do the keys of objects if `keepsKeys`.
 */
export function createShaper(source: string | undefined, redact: (text: string) => string) {
  const known = new Set(`http https true false null ${source}`.match(new RegExp(WORD, 'gu')));
  const ids = new Map<string, number>();
  const numbered = (given: string): string => {
    const id = given.toLowerCase();
    const number = ids.get(id) ?? ids.size + 1;
    ids.set(id, number);
    return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  };
  const masked = (letter: string): string =>
    (/\p{N}/u.test(letter) ? '0' : letter === letter.toLowerCase() ? 'x' : 'X').repeat(
      letter.length,
    );
  const text = (given: string): string => {
    const safe = redact(given);
    if (source === undefined || TIME.test(safe)) return safe;
    return safe.replaceAll(PARTS, (word, id?: string) =>
      id ? numbered(id) : known.has(word) ? word : word.replaceAll(/[^_$]/gu, masked),
    );
  };
  return function shape(value: unknown, keepsKeys = false): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return Number(redact(String(value))) || 0;
    if (Array.isArray(value)) return value.map((each) => shape(each, keepsKeys));
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [keepsKeys ? key : text(key), shape(member, keepsKeys)]),
    );
  };
}
