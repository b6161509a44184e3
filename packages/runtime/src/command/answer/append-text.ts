import { linkSignals, raceAbort, type LinkedController } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { endsHalfway } from '../../text/grapheme-boundary.js';
import { cutContent } from '../../text/split-content.js';
import type { SentMessage } from './answer.js';
import type { Pursue } from './pursue.js';
import { endQuietly, readText, type TextSource } from './text-source.js';

/** A message that text is appended to. */
interface PageMessage<Handle> {
  /** Creates it, or replaces its text. The signal ends it. */
  readonly write: (content: string, signal: AbortSignal) => Promise<Handle>;
  /** Returns its current text, if others may have written it. */
  readonly content?: (() => string | undefined) | undefined;
}

/** Returns a message that `send` creates, and that is edited from then on. */
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

/** One message and the text for it. */
interface Page<Handle> {
  readonly message: PageMessage<Handle>;
  /** Reopens the code block in which the previous page was cut; else empty. */
  readonly opening: string;
  /** All the text after `opening`, including white space at its end. */
  body: string;
  /** The part of it that was written. */
  shown: string;
}

interface TextAppenderOptions<Handle> {
  /** The first message that is written to. */
  readonly answer: PageMessage<Handle>;
  /** Returns the next message to write to. */
  readonly next: () => PageMessage<Handle>;
  readonly pursue: Pursue;
  readonly clock: Clock;
  /** Shortest time between two writes, in milliseconds. */
  readonly intervalMs: number;
  /** Ends it: nothing is written any more, and the source is stopped. */
  readonly signal: AbortSignal;
  /** Settles when no other writer has to write the answer; `null` if there is none. */
  readonly ready: () => Promise<void> | null;
}

/** A page is cut when this many characters after it are known: a code block may end there. */
const LOOK_AHEAD = 80;

/**
 * Appends pieces of text to an answer as they arrive: one write at a time, at least `intervalMs` apart,
 * each with all the text so far. Text that does not fit into a message continues in the next one.
 * Several sources are read one after the other.
 */
export class TextAppender<Handle> {
  readonly #options: TextAppenderOptions<Handle>;
  /** The page that text is added to. */
  #page: Page<Handle>;
  /** Complete pages with their final text, waiting for their turn. */
  #full: { readonly page: Page<Handle>; readonly content: string }[] = [];
  /** The messages that the current source has written to, in their order. */
  #written = new Map<PageMessage<Handle>, Handle>();
  /** Aborted when the current source ends, and with the error of a write. */
  #stop: LinkedController;
  #pump: Promise<void> | null = null;
  #isPumping = false;
  #isEnding = false;
  /** When the next write may begin: a reading of `Clock.monotonic()`. */
  #readyAtMs = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: TextAppenderOptions<Handle>) {
    this.#options = options;
    this.#page = { message: options.answer, opening: '', body: '', shown: '' };
    this.#stop = linkSignals();
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
    const stop = (this.#stop = linkSignals(signal));
    this.#full = [];
    this.#written = new Map();
    this.#isEnding = false;
    let isRead = false;
    try {
      await ready();
      // One write at a time, also of a source that was stopped.
      await this.#pump;
      this.#resume();
      await this.#read(pieces);
      isRead = true;
      return await this.#end();
    } catch (error) {
      // Without a reason to stop, the source itself failed: its text so far remains.
      if (!isRead && !stop.signal.aborted) await this.#end().catch(() => {});
      throw error;
    } finally {
      if (!isRead) void endQuietly(pieces);
      stop.abort();
      stop.unlink();
    }
  }

  /** Continues after the text that others wrote into the message. */
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

  /** Writes the rest and resolves to the messages that were written to. */
  async #end(): Promise<Handle[]> {
    this.#isEnding = true;
    await this.#pump;
    await this.#drain();
    this.#stop.signal.throwIfAborted();
    return [...this.#written.values()];
  }

  /** Writes what is left. Never rejects: a failure aborts `stop`, with itself as the reason. */
  async #drain(): Promise<void> {
    const { clock, intervalMs, pursue } = this.#options;
    const stop = this.#stop;
    const { signal } = stop;
    this.#isPumping = true;
    try {
      while (!signal.aborted && this.#hasNews()) {
        const waitMs = this.#readyAtMs - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs, { signal });
        await pursue(() => this.#write(signal), { signal });
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
    this.#written.set(page.message, await page.message.write(content, signal));
    page.shown = content;
    if (full) this.#full.shift();
  }

  /** Returns the text of the page as it would be shown now; empty while it is only white space. */
  #text(): string {
    const { opening, body } = this.#page;
    // The second half of its last character is still missing.
    const whole = !this.#isEnding && endsHalfway(body) ? body.slice(0, -1) : body;
    if (whole.trim() === '') return '';
    const text = opening + whole.trimEnd();
    return cutContent(text)?.part ?? text;
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
      // White space alone is no message: the text after it starts this one.
      const message = part === '' ? page.message : this.#options.next();
      this.#page = { message, opening, body: rest, shown: '' };
    }
  }
}
