import type { SentMessage } from './answer.js';
import type { LinkedController } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { endsHalfway } from '../../text/grapheme-boundary.js';
import { cutContent } from '../../text/split-content.js';
import type { Pursue } from './pursue.js';

/** A message that text is appended to. */
export interface PageMessage<Handle> {
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
export interface Page<Handle> {
  readonly message: PageMessage<Handle>;
  /** Reopens the code block in which the previous page was cut; else empty. */
  readonly opening: string;
  /** All the text after `opening`, including white space at its end. */
  body: string;
  /** The part of it that was written. */
  shown: string;
  handle: Handle | undefined;
}

export interface PageWriterOptions<Handle> {
  /** Returns the next message to write to. */
  readonly next: () => PageMessage<Handle>;
  readonly pursue: Pursue;
  readonly clock: Clock;
  /** Shortest time between two writes, in milliseconds. */
  readonly intervalMs: number;
}

/** A page is cut when this many characters after it are known: a code block may end there. */
const LOOK_AHEAD = 80;

/** Writes a growing text, page by page: one write at a time, the newest state only. */
export class PageWriter<Handle> {
  readonly #options: PageWriterOptions<Handle>;
  readonly #stop: Pick<LinkedController, 'signal' | 'abort'>;
  /** Complete pages with their final text, waiting for their turn. */
  readonly #full: { readonly page: Page<Handle>; readonly content: string }[] = [];
  readonly #written = new Set<Page<Handle>>();
  #pump: Promise<void> | null = null;
  #isPumping = false;
  #isEnding = false;
  /** The page that text is added to. */
  page: Page<Handle>;
  /** When the next write may begin: a reading of `Clock.monotonic()`. */
  readyAtMs: number;

  /** @param stop - aborted by the caller to end the writing, and by this class with the error of a write. */
  constructor(
    options: PageWriterOptions<Handle>,
    page: Page<Handle>,
    readyAtMs: number,
    stop: Pick<LinkedController, 'signal' | 'abort'>,
  ) {
    this.#options = options;
    this.page = page;
    this.readyAtMs = readyAtMs;
    this.#stop = stop;
  }

  take(piece: string): void {
    this.page.body += piece;
    if (!this.#isPumping) this.#pump = this.#drain();
  }

  /** Writes the rest and resolves to the messages that were written to. */
  async end(): Promise<Handle[]> {
    this.#isEnding = true;
    await this.#pump;
    await this.#drain();
    const { signal } = this.#stop;
    if (signal.aborted) throw signal.reason;
    return [...this.#written].flatMap(({ handle }) => (handle === undefined ? [] : [handle]));
  }

  /** Writes what is left. Never rejects: a failure aborts `stop`, with itself as the reason. */
  async #drain(): Promise<void> {
    const { clock, intervalMs, pursue } = this.#options;
    const { signal } = this.#stop;
    this.#isPumping = true;
    try {
      while (!signal.aborted && this.#hasNews()) {
        const waitMs = this.readyAtMs - clock.monotonic();
        if (waitMs > 0) await clock.sleep(waitMs, { signal });
        await pursue(() => this.#write(), { signal });
        this.readyAtMs = clock.monotonic() + intervalMs;
      }
    } catch (error) {
      this.#stop.abort(error);
    } finally {
      this.#isPumping = false;
    }
  }

  #hasNews(): boolean {
    this.#cutPages();
    const text = this.#text();
    return this.#full.length > 0 || (text !== '' && text !== this.page.shown);
  }

  async #write(): Promise<void> {
    this.#cutPages();
    const [full] = this.#full;
    const { page, content } = full ?? { page: this.page, content: this.#text() };
    page.handle = await page.message.write(content, this.#stop.signal);
    page.shown = content;
    this.#written.add(page);
    if (full) this.#full.shift();
  }

  /** Returns the text of the page as it would be shown now; empty while it is only white space. */
  #text(): string {
    const { opening, body } = this.page;
    // The second half of its last character is still missing.
    const whole = !this.#isEnding && endsHalfway(body) ? body.slice(0, -1) : body;
    if (whole.trim() === '') return '';
    const text = opening + whole.trimEnd();
    return cutContent(text)?.part ?? text;
  }

  #cutPages(): void {
    const lookAhead = this.#isEnding ? 0 : LOOK_AHEAD;
    for (;;) {
      const { page } = this;
      const text = page.opening + page.body;
      const cut = text.length > CONTENT_MAX_LENGTH + lookAhead ? cutContent(text) : null;
      if (!cut) return;
      const { opening, rest, part } = cut;
      if (part !== '' && part !== page.shown) this.#full.push({ page, content: part });
      // White space alone is no message: the text after it starts this one.
      const message = part === '' ? page.message : this.#options.next();
      this.page = { message, opening, body: rest, shown: '', handle: undefined };
    }
  }
}
