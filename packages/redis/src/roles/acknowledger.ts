import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { Bus } from '../bus/bus.js';

const RETRY_MS = 100;

export interface AcknowledgerOptions {
  readonly bus: Pick<Bus, 'acknowledge'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when an entry is acknowledged. */
  readonly onDone: (stream: string, id: string) => void;
}

/** Acknowledges entries that have ended, together, and again while Redis is away. */
export class Acknowledger {
  readonly #options: AcknowledgerOptions;
  #ended = new Map<string, string[]>();
  #sending: Promise<void> | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(options: AcknowledgerOptions) {
    this.#options = options;
  }

  end(stream: string, id: string): void {
    const ids = this.#ended.get(stream);
    if (ids) ids.push(id);
    else this.#ended.set(stream, [id]);
    this.#sending ??= this.#send();
  }

  /** Resolves when all are acknowledged, or not after `close`. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #send(): Promise<void> {
    const { bus, clock, log, onDone } = this.#options;
    // What ends now is acknowledged together.
    await Promise.resolve();
    while (this.#ended.size > 0 && !this.#isClosed) {
      const sent = this.#ended;
      this.#ended = new Map();
      const wasAway = this.#isAway;
      this.#isAway = false;
      for (const [stream, ids] of sent) {
        try {
          await bus.acknowledge(stream, ids);
          for (const id of ids) onDone(stream, id);
        } catch (error) {
          if (!wasAway && !this.#isAway)
            log.warn({ error: errorText(error) }, 'cannot acknowledge events');
          this.#isAway = true;
          this.#ended.set(stream, [...ids, ...(this.#ended.get(stream) ?? [])]);
        }
      }
      if (this.#isAway) await clock.sleep(RETRY_MS);
    }
    this.#sending = undefined;
  }
}
