import { CENSOR } from '@virgule/core/log';
import { isObject, isRecord } from '@virgule/core/objects';
import { UUID } from '@virgule/core/text';
import { areIds } from '../options/references.js';

/** Words, also of symbols such as braille, and ids; everything else, such as quotes, spaces, signs and emojis, stays. */
const WORD = String.raw`[\p{Alphabetic}\p{N}_$[[\p{M}\p{C}\p{So}]--[\p{Cc}\p{Extended_Pictographic}\u200d\ufe0f]]]+`;
const WORDS = new RegExp(WORD, 'gv');
export const IDS = new RegExp(UUID, 'gi');
const PARTS = new RegExp(`(${UUID})|${WORD}`, 'giv');
/** Signature in a URL, with which anyone can read a file. */
const SIGNATURE = /(?<=[?&][\w-]*signature=)[^&#\s"'<>]+/gi;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** Returns the words of strings, of code, of the keys of objects, and of schemas. */
export function wordsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value === 'string' || typeof value === 'function')
    return String(value).match(WORDS) ?? [];
  if (!isObject(value) || seen.has(value)) return [];
  seen.add(value);
  const parts: object = Object(value)._zod?.def ?? value;
  const keys = Array.isArray(parts) ? '' : Object.keys(parts).join(' ');
  // Code may store words of users in its `meta`, and zod calls the function of a default.
  const read = Object.keys(parts).filter((key) => key !== 'meta' && key !== 'defaultValue');
  const members = read.map((key) => Reflect.get(parts, key) as unknown);
  return [keys, ...members].flatMap((part) => wordsIn(part, seen));
}

const masked = (letter: string): string =>
  (/\p{N}/u.test(letter) ? '0' : letter === letter.toLowerCase() ? 'x' : 'X').repeat(letter.length);

/** Returns whether a text becomes a shape if some of its words are replaced. */
export const isShapeOf = (shape: string, text: string): boolean =>
  shape.length === text.length &&
  text.split('').every((char, at) => [char, masked(char)].includes(shape.charAt(at)));

/**
 * Returns a function that removes secrets from all strings and numbers of a value. With `known`, it also replaces letters by `x` and
 * digits by `0`, and ids by numbered ids. Each string keeps its length then. Times, numbers and known words stay.
 */
export function createShaper(
  known: ReadonlySet<string> | undefined,
  redact: (text: string) => string,
) {
  const ids = new Map<string, number>();
  const numbered = (given: string): string => {
    const id = given.toLowerCase();
    const number = ids.get(id) ?? ids.size + 1;
    ids.set(id, number);
    return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  };
  /** Shapes of words: a text repeats most of its words. */
  const shapes = new Map<string, string>();
  const shapeOf = (word: string): string => {
    const shape = shapes.get(word) ?? word.replaceAll(/[^_$]/gu, masked);
    shapes.set(word, shape);
    return shape;
  };
  const text = (given: string): string => {
    const redacted = redact(given);
    // Ids may be the value of a variable, which a secret is too. Different ids stay different.
    if (areIds(given) && (known || redacted !== given)) return given.replaceAll(IDS, numbered);
    const safe = redacted.replaceAll(SIGNATURE, CENSOR);
    if (!known || TIME.test(safe)) return safe;
    return safe.replaceAll(PARTS, (word, id?: string) =>
      id ? numbered(id) : known.has(word) ? word : shapeOf(word),
    );
  };
  function shape(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return Number(redact(String(value))) || 0;
    if (Array.isArray(value)) return value.map((each) => shape(each));
    if (!isRecord(value)) return value;
    const members = new Map<string, unknown>();
    for (const [key, member] of Object.entries(value)) {
      const name = text(key);
      // Several keys may have one shape.
      const number = members.has(name) ? members.size + 1 : '';
      members.set(`${name}${number}`, shape(member));
    }
    return Object.fromEntries(members);
  }
  // Strings remain strings, and numbers remain numbers.
  return shape as <Value>(value: Value) => Value;
}
