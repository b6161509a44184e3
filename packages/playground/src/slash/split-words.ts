/** One word of a typed line. */
export interface Word {
  /** The text with its quotes removed. */
  readonly text: string;
  /** Where it starts and ends in the line, quotes included. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** What can open a quoted text, and what then closes it; the same as in the bot's own reading. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '”': '”',
  '„': '“”',
  '«': '»',
  '»': '«',
  "'": "'",
  '‘': '’',
  '‚': '‘’',
};

/** These are apostrophes too, so they close only at the end of a word, and open nothing that stays open. */
const SINGLE = new Set(["'", '‘', '‚']);

const ESCAPED = new Set([...Object.keys(CLOSERS), '’', '\\']);

function endOfWord(line: string, from: number): number {
  let end = from;
  while (end < line.length && !/\s/.test(line[end] ?? ' ')) end += 1;
  return end;
}

/** The quoted word at `start`; null when there is none. */
function readQuoted(line: string, start: number): Word | null {
  const opener = line[start] ?? '';
  const closers = CLOSERS[opener];
  if (closers === undefined) return null;
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    const isClosing = closers.includes(line[at] ?? '');
    if (isClosing && (!SINGLE.has(opener) || endOfWord(line, at + 1) === at + 1)) {
      const end = endOfWord(line, at + 1);
      return { text: text + line.slice(at + 1, end), start, end, isQuoted: true };
    }
    if (line[at] === '\\' && ESCAPED.has(line[at + 1] ?? '')) at += 1;
    text += line[at] ?? '';
  }
  // It is still being typed, unless it was an apostrophe.
  return SINGLE.has(opener) ? null : { text, start, end: line.length, isQuoted: true };
}

function readPlain(line: string, start: number): Word {
  let end = start;
  while (end < line.length && !/\s/.test(line[end] ?? ' ')) {
    // name:"two words" is one word.
    const glued = /[:=]/.test(line[end] ?? '') ? readQuoted(line, end + 1) : null;
    end = glued?.end ?? end + 1;
  }
  return { text: line.slice(start, end), start, end, isQuoted: false };
}

/**
 * Splits a typed line at white space, with "quoted words" kept together. A quote opens at the start
 * of a word only, so that the apostrophe in `don't` is a letter, as is one that nothing closes. Any
 * other quote left open runs to the end.
 */
export function splitWords(line: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? ' ')) {
      at += 1;
      continue;
    }
    const word = readQuoted(line, at) ?? readPlain(line, at);
    words.push(word);
    at = word.end;
  }
  return words;
}
