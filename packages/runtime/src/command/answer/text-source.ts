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

/** Values one after the other, at once or later. */
type Pieces<Value> = Iterator<Value, unknown, undefined> | AsyncIterator<Value, unknown, undefined>;

/** Returns one way to read any source. */
export function readText(source: TextSource): Pieces<string> {
  // One piece: there is nothing to wait for between its characters.
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
    // It threw in its cleanup, which is not why it is ended.
  }
}
