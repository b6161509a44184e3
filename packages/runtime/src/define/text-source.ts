/** A `ReadableStream` of text, of Node.js or of the web. */
export interface TextStream {
  getReader(): TextReader;
}

/** What reads a `TextStream`. */
export interface TextReader {
  read(): Promise<{ readonly done: boolean; readonly value?: string | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** Where pieces of text come from, such as a language model. */
export type TextSource = AsyncIterable<string> | Iterable<string> | TextStream;

/** Pieces of text, one after the other. */
export interface TextPieces {
  next(): Promise<IteratorResult<string, unknown>>;
  /** Tells the source that nobody reads on. What it does about it is its own affair. */
  stop(): void;
}

/** Reads any source in one way. */
export function readText(source: TextSource): TextPieces {
  // One piece: there is nothing to wait for between its characters.
  if (typeof source === 'string') return fromIterator([source].values());
  if (Symbol.asyncIterator in source) return fromIterator(source[Symbol.asyncIterator]());
  if (Symbol.iterator in source) return fromIterator(source[Symbol.iterator]());
  return fromReader(source.getReader());
}

function fromIterator(iterator: AsyncIterator<string> | Iterator<string>): TextPieces {
  return {
    next: async () => iterator.next(),
    stop: () => void quietly(async () => iterator.return?.(undefined)),
  };
}

function fromReader(reader: TextReader): TextPieces {
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value: value ?? '' };
    },
    stop: () => void quietly(() => reader.cancel()),
  };
}

/** Stopping is the consequence of something that is told already. */
async function quietly(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch {
    // As said.
  }
}
