import {
  findClosingQuote,
  isOpeningQuote,
  isQuote,
  isSingleQuote,
  unescapeQuoted,
} from './quotes.js';
import { endOfWord, isSpace, skipSpace, trimmedEnd } from './white-space.js';

interface Word {
  readonly text: string;
  /** The index after it. */
  readonly end: number;
}

/** Reads the pieces of one line. */
export interface LineReader {
  /** The word that starts at `from`; `null` when its quote is never closed. */
  word(from: number): Word | null;
  /** The quoted text that starts at `from` and ends where a word ends; `null` when there is none. */
  quoted(from: number): Word | null;
  /** All of the line from `from` on, without white space around it and less one pair of quotes that encloses it. */
  rest(from: number): string;
}

export function createLineReader(line: string): LineReader {
  // A quote that stayed open once stays open for every later word: without this, a line of
  // apostrophes would be searched to its end again and again.
  let neverClosed: Set<string> | undefined;

  const closingQuote = (open: number): number => {
    const opener = line.charAt(open);
    if (!isOpeningQuote(opener) || neverClosed?.has(opener)) return -1;
    const close = findClosingQuote(line, open);
    if (close < 0) (neverClosed ??= new Set()).add(opener);
    return close;
  };

  return {
    word(from) {
      const opener = line.charAt(from);
      if (!isOpeningQuote(opener)) return readPlain(line, from);
      const close = closingQuote(from);
      // An apostrophe that opens nothing is a letter.
      if (close < 0) return isSingleQuote(opener) ? readPlain(line, from) : null;
      const text = unescapeQuoted(line.slice(from + 1, close));
      if (close + 1 === line.length || isSpace(line.charCodeAt(close + 1))) {
        return { text, end: close + 1 };
      }
      const glued = readPlain(line, close + 1);
      return { text: text + glued.text, end: glued.end };
    },
    quoted(from) {
      const close = closingQuote(from);
      if (close < 0 || endOfWord(line, close + 1) !== close + 1) return null;
      return { text: unescapeQuoted(line.slice(from + 1, close)), end: close + 1 };
    },
    rest(from) {
      const start = skipSpace(line, from);
      const end = trimmedEnd(line, start);
      const close = closingQuote(start);
      return close >= 0 && close === end - 1
        ? unescapeQuoted(line.slice(start + 1, close))
        : line.slice(start, end);
    },
  };
}

/** A word without quotes around it. A backslash counts only before a quote: Windows paths stay as they are. */
function readPlain(line: string, from: number): Word {
  const end = endOfWord(line, from);
  const raw = line.slice(from, end);
  if (!raw.includes('\\')) return { text: raw, end };
  let text = '';
  for (let index = 0; index < raw.length; index += 1) {
    if (raw.charAt(index) === '\\' && isQuote(raw.charAt(index + 1))) index += 1;
    text += raw.charAt(index);
  }
  return { text, end };
}
