/** A `ReadableStream` of text. TypeScript does not know that the streams of Node.js can be iterated. */
export interface TextStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: string | undefined }>;
  };
}

/** A source of pieces of text, such as a language model. */
export type TextSource = AsyncIterable<string> | Iterable<string> | TextStream;

/** Iterator over values, synchronous or asynchronous. */
type Pieces<Value> = Iterator<Value, unknown, undefined> | AsyncIterator<Value, unknown, undefined>;

/** Returns an iterator over the pieces of any source. */
export function readText(source: TextSource): Pieces<string> {
  // A string is one piece; its own iterator would yield single characters.
  if (typeof source === 'string') return [source].values();
  if (Symbol.iterator in source) return source[Symbol.iterator]();
  return (source as AsyncIterable<string>)[Symbol.asyncIterator]();
}

/** Ends a source or a generator, and ignores its errors. */
export async function endQuietly(pieces: Pieces<unknown>): Promise<void> {
  try {
    await pieces.return?.(undefined);
  } catch {
    // The cleanup of the source threw; the caller handles the reason of the end.
  }
}
