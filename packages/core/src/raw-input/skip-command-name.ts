import { endOfWord, skipSpace } from './white-space.js';

/** Direction marks, which some keyboards insert first. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Returns the index after the command name, or of the first word. A first word with a slash is the command, as the platform
 * sends it, in any case and with any suffix; a word without a slash must be the name (assumed).
 */
export function skipCommandName(rawInput: string, name: string): number {
  let start = skipSpace(rawInput, 0);
  while (INVISIBLE.test(rawInput.charAt(start))) start = skipSpace(rawInput, start + 1);
  const end = endOfWord(rawInput, start);
  if (rawInput.charAt(start) === '/') return end;
  // Longer words are not compared: no name with a suffix is that long.
  const word = rawInput.slice(start, Math.min(end, start + 200)).toLowerCase();
  return word === name || word.startsWith(`${name}@`) ? end : start;
}
