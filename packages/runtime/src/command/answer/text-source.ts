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

/** Pieces of text, one after the other. */
export interface TextPieces {
  next(): Promise<IteratorResult<string, unknown>>;
  /** Ends the source. Its errors are ignored. */
  stop(): void;
}

/** Returns one way to read any source. */
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

/** Runs a task and ignores its error: the source is stopped because of one that is reported already. */
async function quietly(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch {
    // As documented.
  }
}
