import { createLineReader } from './read-word.js';
import { skipSpace } from './white-space.js';

/** Returns the words of a text, without their quotes and escapes; `null` if a quote has no closing quote. */
export function splitWords(text: string): readonly string[] | null {
  const reader = createLineReader(text);
  const words: string[] = [];
  for (let at = skipSpace(text, 0); at < text.length;) {
    const word = reader.word(at);
    if (!word) return null;
    words.push(word.text);
    at = skipSpace(text, word.end);
  }
  return words;
}
