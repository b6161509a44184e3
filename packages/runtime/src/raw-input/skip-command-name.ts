import { endOfWord, skipSpace } from './white-space.js';

/** Marks of the direction of writing, which some keyboards put first. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Where the arguments begin. The platform sends the typed text with the slash, so a first word with
 * one is the command, in whatever case and with whatever suffix; without a slash only the
 * command's own name is (assumed).
 */
export function skipCommandName(rawInput: string, name: string): number {
  let start = skipSpace(rawInput, 0);
  while (INVISIBLE.test(rawInput.charAt(start))) start = skipSpace(rawInput, start + 1);
  const end = endOfWord(rawInput, start);
  if (rawInput.charAt(start) === '/') return end;
  // Longer words are not compared: a name and a suffix never are that long.
  const word = rawInput.slice(start, Math.min(end, start + 200)).toLowerCase();
  return word === name || word.startsWith(`${name}@`) ? end : start;
}
