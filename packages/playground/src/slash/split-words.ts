/** One word of a typed line. */
export interface Word {
  /** The text with its quotes removed. */
  readonly text: string;
  /** Where it starts and ends in the line, quotes included. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' };

function readQuoted(line: string, start: number, close: string): Word {
  let text = '';
  let at = start + 1;
  while (at < line.length && line[at] !== close) {
    if (line[at] === '\\' && (line[at + 1] === close || line[at + 1] === '\\')) at += 1;
    text += line[at] ?? '';
    at += 1;
  }
  return { text, start, end: Math.min(at + 1, line.length), isQuoted: true };
}

function readPlain(line: string, start: number): Word {
  let end = start;
  while (end < line.length && !/\s/.test(line[end] ?? ' ')) {
    const close = /[:=]/.test(line[end] ?? '') ? QUOTES[line[end + 1] ?? ''] : undefined;
    // name:"two words" is one word.
    end = close === undefined ? end + 1 : readQuoted(line, end + 1, close).end;
  }
  return { text: line.slice(start, end), start, end, isQuoted: false };
}

/**
 * Splits a typed line at white space, with "quoted words" kept together. A quote opens at the start
 * of a word only, so that the apostrophe in `don't` is a letter. A quote left open runs to the end.
 */
export function splitWords(line: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? ' ')) {
      at += 1;
      continue;
    }
    const close = QUOTES[line[at] ?? ''];
    const word = close === undefined ? readPlain(line, at) : readQuoted(line, at, close);
    words.push(word);
    at = word.end;
  }
  return words;
}
