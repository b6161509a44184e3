/** A `ReadableStream` of text, of Node.js or of the web. */
export interface TextStream {
  getReader(): TextReader;
}

/** The reader of a `TextStream`. */
export interface TextReader {
  read(): Promise<{ readonly done: boolean; readonly value?: string | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** A source of pieces of text, such as a language model. */
export type TextSource = AsyncIterable<string> | Iterable<string> | TextStream;

/** Iterator over values, synchronous or asynchronous. */
type Pieces<Value> = Iterator<Value, unknown, undefined> | AsyncIterator<Value, unknown, undefined>;

/** Returns an iterator over the pieces of any source. */
export function readText(source: TextSource): Pieces<string> {
  // A string is one piece; its own iterator would yield single characters.
  if (typeof source === 'string') return [source].values();
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  if (Symbol.iterator in source) return source[Symbol.iterator]();
  const reader = source.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value: value ?? '' };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Ends a source or a generator, and ignores its errors. */
export async function endQuietly(pieces: Pieces<unknown>): Promise<void> {
  try {
    await pieces.return?.(undefined);
  } catch {
    // The cleanup of the source threw; the caller handles the reason of the end.
  }
}
