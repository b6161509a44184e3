import { isSpace } from './white-space.js';

/** What can open a quoted text, and what then closes it: straight quotes, and those that keyboards make of them. */
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['”', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['»', '«'],
  ["'", "'"],
  ['‘', '’'],
  ['‚', '‘’'],
]);

/** These are apostrophes too, so they close only at the end of a word. */
const SINGLE = new Set(["'", '‘', '‚']);

const QUOTES = new Set([...CLOSERS.keys(), '’']);

export const isOpeningQuote = (character: string): boolean => CLOSERS.has(character);

/** Whether a quote may as well be an apostrophe at the start of a word, as in 'tis. */
export const isSingleQuote = (character: string): boolean => SINGLE.has(character);

/** Whether a backslash before this character stands for the character itself. */
export const isQuote = (character: string): boolean => QUOTES.has(character);

/** Where the text that is opened at `open` is closed, or -1. */
export function findClosingQuote(text: string, open: number): number {
  const opener = text.charAt(open);
  const closers = CLOSERS.get(opener) ?? '';
  const single = isSingleQuote(opener);
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

/** What a quoted text says, given its inside: `\"` is a quote and `\\` a backslash, any other backslash stays. */
export function unescapeQuoted(inside: string): string {
  if (!inside.includes('\\')) return inside;
  let text = '';
  for (let index = 0; index < inside.length; index += 1) {
    if (inside.charAt(index) === '\\' && isEscape(inside, index)) index += 1;
    text += inside.charAt(index);
  }
  return text;
}

/** A text between straight quotes that `unescapeQuoted` reads back. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}

function isEscape(text: string, backslash: number): boolean {
  const next = text.charAt(backslash + 1);
  return next === '\\' || isQuote(next);
}
