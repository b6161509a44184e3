import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** The longest part of a line that is kept until the rest of it comes, in characters. */
const MAX_LENGTH = 2 ** 20;

/**
 * Lines end with LF, CR LF or CR. A line that does not end is passed on in parts, so that it can be as long as it
 * likes. An entry may follow what was printed without a line end.
 *
 * @param key - begins each entry of the log; nothing that is printed can hold it by chance
 * @param onLine - `log` is `true` for an entry, which comes without the key
 */
export function createOutputSplitter(
  key: string,
  onLine: (line: string, log?: true) => void,
  maxLength = MAX_LENGTH,
) {
  let rest = '';
  /** Whether that is known to be the beginning of an entry, which is kept, since it comes as a whole. */
  let isEntry = false;
  /** A CR at the end of what came, which LF may follow. */
  let held = '';

  function pass(line: string): void {
    const at = line.indexOf(key);
    if (at < 0) return onLine(line);
    if (at > 0) onLine(line.slice(0, at));
    onLine(line.slice(at + key.length), true);
  }

  /** Passes on what is too long to be kept. */
  function cut(): void {
    if (rest.length <= maxLength || isEntry) return;
    isEntry = rest.includes(key);
    if (isEntry) return;
    // The last characters may be the beginning of a key.
    const end = rest.length - key.length;
    onLine(rest.slice(0, end));
    rest = rest.slice(end);
  }

  return {
    write(chunk: string): void {
      const text = held + chunk;
      held = text.endsWith('\r') ? '\r' : '';
      const lines = text.slice(0, text.length - held.length).split(/\r\n?|\n/);
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? '';
      if (lines.length > 0) isEntry = false;
      for (const line of lines) pass(line);
      cut();
    },
    /** Passes on what has no line end. */
    end(): void {
      if (rest !== '' || held !== '') pass(rest);
    },
  };
}

/** Splits a stream of a process, as {@link createOutputSplitter} does, and resolves when it is over. */
export async function splitOutput(
  stream: Readable | null,
  key: string,
  onLine: (line: string, log?: true) => void,
): Promise<void> {
  if (!stream) return;
  const splitter = createOutputSplitter(key, onLine);
  stream.setEncoding('utf8').on('data', (chunk: string) => splitter.write(chunk));
  await once(stream, 'close');
  splitter.end();
}
