import {
  findClosingQuote,
  isOpeningQuote,
  isQuote,
  isSingleQuote,
  unescapeQuoted,
} from './quotes.js';
import { endOfWord, isSpace, skipSpace, trimmedEnd } from './white-space.js';

interface Word {
  /** The word without its quotes and escapes. */
  readonly text: string;
  /** The index after the word. */
  readonly end: number;
}

/** Reads words and quoted values of one line. */
export type LineReader = ReturnType<typeof createLineReader>;

/** Creates a reader whose searches for closing quotes take linear time in total. */
export function createLineReader(line: string) {
  // Quotes without a closing quote: a line of apostrophes would be searched to its end for each of them.
  let missing: Set<string> | undefined;

  const closingQuote = (open: number): number =>
    isOpeningQuote(line.charAt(open)) ? findClosingQuote(line, open, (missing ??= new Set())) : -1;

  return {
    /** Returns the word at index `from`; `null` if its quote has no closing quote. */
    word(from: number): Word | null {
      const opener = line.charAt(from);
      if (!isOpeningQuote(opener)) return readPlain(line, from);
      const close = closingQuote(from);
      // An apostrophe without a closing quote is a letter.
      if (close < 0) return isSingleQuote(opener) ? readPlain(line, from) : null;
      const text = unescapeQuoted(line.slice(from + 1, close));
      if (close + 1 === line.length || isSpace(line.charCodeAt(close + 1)))
        return { text, end: close + 1 };
      const joined = readPlain(line, close + 1);
      return { text: text + joined.text, end: joined.end };
    },
    /** Returns the quoted value at index `from` if its closing quote ends a word, else `null`. */
    quoted(from: number): Word | null {
      const close = closingQuote(from);
      if (close < 0 || endOfWord(line, close + 1) !== close + 1) return null;
      return { text: unescapeQuoted(line.slice(from + 1, close)), end: close + 1 };
    },
    /** Returns the line from index `from`, trimmed and without one enclosing pair of quotes. */
    rest(from: number): string {
      const start = skipSpace(line, from);
      const end = trimmedEnd(line, start);
      const close = closingQuote(start);
      return close >= 0 && close === end - 1
        ? unescapeQuoted(line.slice(start + 1, close))
        : line.slice(start, end);
    },
  };
}

/** Reads a word without quotes around it. A backslash escapes only a quote, so Windows paths are kept. */
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
