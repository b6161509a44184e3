export interface OutputSplitterOptions {
  /** Begins each entry of the log; nothing that is printed can hold it by chance. */
  readonly key: string;
  /** @param log - `true` for an entry, which comes without the key. */
  readonly onLine: (line: string, log?: true) => void;
  /** The longest part of a line that is kept until the rest of it comes, in characters. @defaultValue `1_048_576` */
  readonly longest?: number | undefined;
}

/** Divides what a process writes into lines, and tells entries of its log from everything else it prints. */
export interface OutputSplitter {
  write(chunk: string): void;
  /** Passes on what has no line end. */
  end(): void;
}

const LONGEST = 2 ** 20;

/**
 * Lines end with LF, CR LF or CR. A line that does not end is passed on in parts, so that it can be as long as it
 * likes. An entry may follow what was printed without a line end.
 */
export function createOutputSplitter(options: OutputSplitterOptions): OutputSplitter {
  const { key, onLine, longest = LONGEST } = options;
  let rest = '';

  function pass(line: string): void {
    const at = line.indexOf(key);
    if (at < 0) return onLine(line);
    if (at > 0) onLine(line.slice(0, at));
    onLine(line.slice(at + key.length), true);
  }

  /** Passes on what cannot be kept; the beginning of an entry is, since it comes as a whole. */
  function cut(): void {
    if (rest.length <= longest || rest.includes(key)) return;
    // The last characters may be the beginning of a key.
    const end = rest.length - key.length;
    onLine(rest.slice(0, end));
    rest = rest.slice(end);
  }

  return {
    write(chunk) {
      let from = 0;
      const text = rest.endsWith('\r') ? rest + chunk : chunk;
      if (text !== chunk) rest = '';
      for (const { 0: end, index } of text.matchAll(/\n|\r\n?/g)) {
        // What follows tells whether this is one line end or two.
        if (end === '\r' && index === text.length - 1) break;
        pass(rest + text.slice(from, index));
        rest = '';
        from = index + end.length;
      }
      rest += text.slice(from);
      cut();
    },
    end() {
      if (rest !== '') pass(rest.replace(/\r$/, ''));
      rest = '';
    },
  };
}
