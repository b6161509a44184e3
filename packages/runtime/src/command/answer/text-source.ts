import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../../errors/runtime-errors.js';

/** A `ReadableStream` of text. TypeScript does not know that the streams of Node.js can be iterated. */
export interface TextStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: string | undefined }>;
  };
}

/** Part of the answer of a language model: a piece of text, the start of a text, a tool call, an error, or another one. */
interface ModelPart {
  readonly type: string;
  readonly text?: string;
  readonly error?: unknown;
}

/** Answer of a language model, as `streamText` of the `ai` package returns it. */
export type ModelAnswer = (
  | { readonly stream: AsyncIterable<ModelPart> }
  | { readonly fullStream: AsyncIterable<ModelPart> }
) & {
  /** Tokens of all steps, for the log line of an event. @defaultValue not logged */
  readonly totalUsage?: PromiseLike<{
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
  }>;
};

/** A source of pieces of text, such as a language model. */
export type TextSource = AsyncIterable<string> | Iterable<string> | TextStream | ModelAnswer;

/** Iterator over values, synchronous or asynchronous. */
type Pieces<Value> = Iterator<Value, unknown, undefined> | AsyncIterator<Value, unknown, undefined>;

/** Returns an iterator over the pieces of any source. */
export function readText(source: TextSource): Pieces<string> {
  // A string is one piece; its own iterator would yield single characters.
  if (typeof source === 'string') return [source].values();
  if (isObject(source)) {
    if (Symbol.iterator in source) return source[Symbol.iterator]();
    if ('stream' in source) return textOf(source.stream);
    if ('fullStream' in source) return textOf(source.fullStream);
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  }
  // JavaScript may pass anything, against the types.
  const saw = Object(source) instanceof Promise ? 'Promise' : typeof source;
  throw runtimeErrors.E_ANSWER_INVALID({ kind: 'chunk', saw });
}

/** Returns the text of an answer, each step in its own paragraph. Unlike `textStream` of `ai`, it throws the error of the model. */
async function* textOf(parts: AsyncIterable<ModelPart>): AsyncGenerator<string, void, undefined> {
  let hasText = false;
  for await (const part of parts) {
    const { type, text, error } = part;
    if (type === 'error') throw error;
    if (type === 'text-start' && hasText) yield '\n\n';
    // The parts of other packages have other types, or none, and their text elsewhere.
    if (!type || /[^a-z-]/.test(type) || (type === 'text-delta' && text === undefined)) {
      const saw = `object with ${Object.keys(part).join(', ')}`;
      throw runtimeErrors.E_ANSWER_INVALID({ kind: 'chunk', saw });
    }
    if (type !== 'text-delta' || !text) continue;
    yield text;
    hasText = true;
  }
}

/** Ends a source or a generator, and ignores its errors. */
export function endQuietly(pieces: Pieces<unknown>): void {
  const end = async (): Promise<unknown> => pieces.return?.(undefined);
  // The caller handles the reason of the end.
  end().catch(() => {});
}
