import { linkSignals, raceAbort, type LinkedController } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { closeMarkdown } from '../../text/close-markdown.js';
import { endsHalfway, cutContent } from '../../text/split-content.js';
import type { SentMessage } from './answer.js';
import type { Pursue } from './pursue.js';
import { endQuietly, readText, type TextSource } from './text-source.js';

interface PageMessage<Handle> {
  /** Creates the message, or replaces its text. The signal ends the write. */
  readonly write: (content: string, signal: AbortSignal) => Promise<Handle>;
  /** Returns the current text of the message. Present if other code can write the message too. */
  readonly content?: (() => string | undefined) | undefined;
}

/** Returns a message that the first write creates by `send`; later writes edit it. */
export function sentPage(
  send: (content: string) => Promise<SentMessage>,
): PageMessage<SentMessage> {
  let sent: SentMessage | undefined;
  return {
    async write(content) {
      if (sent) await sent.edit(content);
      else sent = await send(content);
      return sent;
    },
  };
}

interface Page<Handle> {
  readonly message: PageMessage<Handle>;
  /** Reopens the code block in which the previous page was cut; else empty. */
  readonly opening: string;
  /** All the text after `opening`, including white space at its end. */
  body: string;
  /** Text that the message shows: the last text written to it. */
  shown: string;
}

interface TextAppenderOptions<Handle> {
  readonly answer: PageMessage<Handle>;
  readonly next: () => PageMessage<Handle>;
  readonly pursue: Pursue;
  readonly clock: Clock;
  /** Shortest time between two writes, in milliseconds. */
  readonly intervalMs: number;
  /** Aborted to stop appending: nothing more is written, and the source is stopped. */
  readonly signal: AbortSignal;
  /** Returns a promise that settles when all other writers of the answer are done; `null` if there is no other writer. */
  readonly ready: () => Promise<void> | null;
}

/** Number of characters after a page that must be known before the page is cut: a code block may end there. */
const LOOK_AHEAD = 80;

/**
 * Appends pieces of text to an answer as they arrive: one write at a time, at least `intervalMs` apart, each with all the text
 * so far. Text that does not fit into a message continues in the next one. Several sources are read one after the other.
 */
export class TextAppender<Handle> {
  readonly #options: TextAppenderOptions<Handle>;
  /** Page that receives new text. */
  #page: Page<Handle>;
  /** Complete pages with their final text that are not written yet. */
  #full: { readonly page: Page<Handle>; readonly content: string }[] = [];
  /** Messages that contain text of the current source, in their order. */
  #written = new Map<PageMessage<Handle>, Handle>();
  /** Aborted when the current source ends, or when a write fails (with the error of the write). */
  #stop: LinkedController;
  #pump: Promise<void> | null = null;
  #isPumping = false;
  #isEnding = false;
  /** Earliest time of the next write: a reading of `Clock.monotonic()`. */
  #readyAtMs = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: TextAppenderOptions<Handle>) {
    this.#options = options;
    this.#page = { message: options.answer, opening: '', body: '', shown: '' };
    this.#stop = linkSignals();
  }

  /** Appends a source. Resolves to the written messages, in their order. If the source fails, its text so far is written, with its Markdown closed. */
  append(source: TextSource): Promise<Handle[]> {
    const run = this.#tail.then(() => this.#append(source));
    this.#tail = run.catch(() => {});
    return run;
  }

  async #append(source: TextSource): Promise<Handle[]> {
    const { signal, ready } = this.#options;
    const pieces = readText(source);
    const stop = (this.#stop = linkSignals(signal));
    this.#full = [];
    this.#written = new Map();
    this.#isEnding = false;
    let isRead = false;
    try {
      await ready();
      // A write of a stopped source may still be in flight: only one write runs at a time.
      await this.#pump;
      this.#resume();
      await this.#read(pieces);
      isRead = true;
      return await this.#end();
    } catch (error) {
      // Without a reason to stop, the source itself failed: its text so far remains, with its Markdown closed.
      if (!isRead && !stop.signal.aborted) {
        const { opening, body } = this.#page;
        this.#page.body = closeMarkdown(opening + body).slice(opening.length);
        await this.#end().catch(() => {});
      }
      throw error;
    } finally {
      if (!isRead) endQuietly(pieces);
      stop.abort();
      stop.unlink();
    }
  }

  /** Continues after the text that other code wrote into the message. */
  #resume(): void {
    const { message, shown } = this.#page;
    const content = message.content?.();
    if (content === undefined || content === shown) return;
    this.#page = { message, opening: '', body: content, shown: content };
  }

  async #read(pieces: ReturnType<typeof readText>): Promise<void> {
    for (;;) {
      const step = await raceAbort(Promise.resolve(pieces.next()), this.#stop.signal);
      if (step.done) return;
      const piece: unknown = step.value;
      // The streams of some models have pieces without text.
      if (piece === undefined || piece === null) continue;
      if (typeof piece !== 'string')
        throw runtimeErrors.E_ANSWER_INVALID({ kind: 'chunk', saw: typeof piece });
      this.#page.body += piece;
      if (!this.#isPumping) this.#pump = this.#drain();
    }
  }

  /** Writes the rest and resolves to the written messages. */
  async #end(): Promise<Handle[]> {
    this.#isEnding = true;
    await this.#pump;
    await this.#drain();
    this.#stop.signal.throwIfAborted();
    return [...this.#written.values()];
  }

  /** Writes all text that is not shown yet. Never rejects: a failure aborts `stop`, and is its reason. */
  async #drain(): Promise<void> {
    const { clock, intervalMs, pursue } = this.#options;
    const stop = this.#stop;
    const { signal } = stop;
    this.#isPumping = true;
    try {
      while (!signal.aborted && this.#hasNews()) {
        const waitMs = this.#readyAtMs - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs, { signal });
        await pursue(() => this.#write(signal), signal);
        this.#readyAtMs = clock.monotonic() + intervalMs;
      }
    } catch (error) {
      stop.abort(error);
    } finally {
      this.#isPumping = false;
    }
  }

  #hasNews(): boolean {
    this.#cutPages();
    const text = this.#text();
    return this.#full.length > 0 || (text !== '' && text !== this.#page.shown);
  }

  async #write(signal: AbortSignal): Promise<void> {
    this.#cutPages();
    const [full] = this.#full;
    const { page, content } = full ?? { page: this.#page, content: this.#text() };
    // Since `#hasNews`, the text may have become too long to be closed.
    if (content === page.shown) return;
    this.#written.set(page.message, await page.message.write(content, signal));
    page.shown = content;
    if (full) this.#full.shift();
  }

  /**
   * Returns the current text of the page without white space at its end, and with its Markdown closed until the source
   * ends; empty if the page is only white space.
   */
  #text(): string {
    const { opening, body } = this.#page;
    // The second half of its last character is still missing.
    const whole = !this.#isEnding && endsHalfway(body) ? body.slice(0, -1) : body;
    if (whole.trim() === '') return '';
    const text = opening + (this.#isEnding ? whole.trimEnd() : whole);
    const part = cutContent(text)?.part ?? text;
    if (this.#isEnding) return part;
    const closed = closeMarkdown(part);
    return closed.length <= CONTENT_MAX_LENGTH ? closed : this.#page.shown;
  }

  #cutPages(): void {
    const lookAhead = this.#isEnding ? 0 : LOOK_AHEAD;
    for (;;) {
      const page = this.#page;
      const text = page.opening + page.body;
      const cut = text.length > CONTENT_MAX_LENGTH + lookAhead ? cutContent(text) : null;
      if (!cut) return;
      const { opening, rest, part } = cut;
      if (part !== '' && part !== page.shown) this.#full.push({ page, content: part });
      // White space alone is no message: the text after the white space starts the same message.
      const message = part === '' ? page.message : this.#options.next();
      this.#page = { message, opening, body: rest, shown: '' };
    }
  }
}
