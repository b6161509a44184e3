import { linkSignals, raceAbort } from '@virgule/core/abort';
import { readText, type TextPieces, type TextSource } from './text-source.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { PageWriter, type Page, type PageMessage, type PageWriterOptions } from './page-writer.js';

export interface TextAppenderOptions<Handle> extends PageWriterOptions<Handle> {
  /** The first message that is written to. */
  readonly answer: PageMessage<Handle>;
  /** Ends it: nothing is written any more, and the source is stopped. */
  readonly signal: AbortSignal;
  /** Settles when no other writer has to write the answer; `null` if there is none. */
  readonly ready: () => Promise<void> | null;
}

/**
 * Appends pieces of text to an answer as they arrive: one write at a time, at least `intervalMs` apart,
 * each with all the text so far. Text that does not fit into a message continues in the next one.
 * Several sources are read one after the other.
 */
export class TextAppender<Handle> {
  readonly #options: TextAppenderOptions<Handle>;
  #page: Page<Handle>;
  #readyAtMs = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: TextAppenderOptions<Handle>) {
    this.#options = options;
    this.#page = { message: options.answer, opening: '', body: '', shown: '', handle: undefined };
  }

  /** Resolves to the messages it wrote to, in their order. If the source fails, the text so far is written. */
  append(source: TextSource): Promise<Handle[]> {
    const run = this.#tail.then(() => this.#append(source));
    this.#tail = run.catch(() => {});
    return run;
  }

  async #append(source: TextSource): Promise<Handle[]> {
    const { signal, ready } = this.#options;
    // JavaScript may pass anything, against the types.
    if ((source ?? null) === null)
      throw runtimeErrors.E_ANSWER_INVALID({ kind: 'chunk', saw: typeof source });
    const pieces = readText(source);
    const stop = linkSignals(signal);
    let writer: PageWriter<Handle> | undefined;
    let isRead = false;
    try {
      await ready();
      this.#resume();
      writer = new PageWriter(this.#options, this.#page, this.#readyAtMs, stop);
      await this.#read(pieces, writer, stop.signal);
      isRead = true;
      return await writer.end();
    } catch (error) {
      // Without a reason to stop, the source itself failed: its text so far remains.
      if (!isRead && !stop.signal.aborted) await writer?.end().catch(() => {});
      throw error;
    } finally {
      if (!isRead) pieces.stop();
      stop.abort();
      stop.unlink();
      if (writer) ({ page: this.#page, readyAtMs: this.#readyAtMs } = writer);
    }
  }

  /** Continues after the text that others wrote into the message. */
  #resume(): void {
    const { message, shown, handle } = this.#page;
    const content = message.content?.();
    if (content === undefined || content === shown) return;
    this.#page = { message, opening: '', body: content, shown: content, handle };
  }

  async #read(pieces: TextPieces, writer: PageWriter<Handle>, signal: AbortSignal): Promise<void> {
    for (;;) {
      const step = await raceAbort(pieces.next(), signal);
      if (step.done) return;
      const piece: unknown = step.value;
      // The streams of some models have pieces without text.
      if (piece === undefined || piece === null) continue;
      if (typeof piece !== 'string')
        throw runtimeErrors.E_ANSWER_INVALID({ kind: 'chunk', saw: typeof piece });
      writer.take(piece);
    }
  }
}
