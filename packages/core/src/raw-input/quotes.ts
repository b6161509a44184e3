import { isSpace } from './white-space.js';

/**
 * Closing quotes of each opening quote, straight or of a keyboard. Those of the second string count if none of the first is
 * found: keyboards may replace one quote of a pair.
 */
const CLOSERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['"', '”“']],
  ['“', ['”', '"']],
  ['”', ['”', '"']],
  ['„', ['“”', '"']],
  ['«', ['»']],
  ['»', ['«']],
  ["'", ["'"]],
  ['‘', ['’']],
  ['‚', ['‘’']],
  ['‹', ['›']],
  ['›', ['‹']],
  ['「', ['」']],
  ['『', ['』']],
]);

/** Quotes that may be apostrophes, so they close only at the end of a word. */
const SINGLE = new Set(["'", '‘', '‚']);

const QUOTES = new Set([...CLOSERS].flat(2).join(''));

/** Returns whether a character can start a quoted value. */
export const isOpeningQuote = (character: string): boolean => CLOSERS.has(character);

/** Returns whether a quote may also be an apostrophe at the start of a word, as in 'tis. */
export const isSingleQuote = (character: string): boolean => SINGLE.has(character);

/** Returns whether a backslash escapes a character. */
export const isQuote = (character: string): boolean => QUOTES.has(character);

/** Returns the index of the closing quote for the quote at `open`, or -1. `missing` collects vain searches. */
export function findClosingQuote(text: string, open: number, missing = new Set<string>()): number {
  const opener = text.charAt(open);
  for (const closers of CLOSERS.get(opener) ?? []) {
    const search = opener + closers;
    const closing = missing.has(search) ? -1 : findCloser(text, open, closers);
    if (closing >= 0) return closing;
    missing.add(search);
  }
  return -1;
}

function findCloser(text: string, open: number, closers: string): number {
  const single = isSingleQuote(text.charAt(open));
  for (let index = open + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\' && isEscape(text, index)) {
      index += 1;
    } else if (closers.includes(character)) {
      const atWordEnd = index + 1 === text.length || isSpace(text.charCodeAt(index + 1));
      if (!single || atWordEnd) return index;
    }
  }
  return -1;
}

/** Resolves the escapes in a quoted string: `\"` is a quote, `\\` a backslash; any other backslash is kept. */
export function unescapeQuoted(inside: string): string {
  if (!inside.includes('\\')) return inside;
  let text = '';
  for (let index = 0; index < inside.length; index += 1) {
    if (inside.charAt(index) === '\\' && isEscape(inside, index)) index += 1;
    text += inside.charAt(index);
  }
  return text;
}

/** Returns the string in straight quotes, escaped so that `unescapeQuoted` restores it. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;

function isEscape(text: string, backslash: number): boolean {
  const next = text.charAt(backslash + 1);
  return next === '\\' || isQuote(next);
}
