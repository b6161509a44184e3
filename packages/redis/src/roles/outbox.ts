import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { Bus } from '../bus/bus.js';
import type { Entry } from '../bus/entry.js';

/** How many entries are kept while Redis is away. */
const MAX_WAITING = 50_000;
const BATCH = 100;
const RETRY_MS = 100;

export interface OutboxOptions {
  readonly bus: Pick<Bus, 'append'>;
  readonly clock: Clock;
  readonly log: Log;
  /** @defaultValue 50,000 */
  readonly maxWaiting?: number | undefined;
}

/** Appends entries in their order, each once, and keeps them while Redis is away. */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Entry[] = [];
  /** What is being appended, until it is known that it was. */
  #batch: readonly Entry[] = [];
  /** Number of the first one of the batch. */
  #number = 1;
  #sending: Promise<void> | undefined;
  #isClosed = false;
  #isAway = false;
  #dropped = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** How many entries are not appended yet. */
  get waiting(): number {
    return this.#waiting.length + this.#batch.length;
  }

  /** How many entries were dropped because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  push(entry: Entry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length > (this.#options.maxWaiting ?? MAX_WAITING)) this.#dropOne();
    this.#sending ??= this.#send();
  }

  /** Appends what waits, within `ms`, and stops. Returns how many entries are lost. */
  async close(ms: number): Promise<number> {
    if (this.#sending) await settlesWithin(this.#sending, ms, this.#options.clock);
    this.#isClosed = true;
    return this.waiting;
  }

  async #send(): Promise<void> {
    const { bus, clock } = this.#options;
    while (!this.#isClosed && this.waiting > 0) {
      if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, BATCH);
      try {
        await bus.append(this.#number, this.#batch);
        this.#number += this.#batch.length;
        this.#batch = [];
        if (this.#isAway) this.#back();
      } catch (error) {
        // Whether it took effect does not matter: the same numbers are appended once.
        this.#away(error);
        await clock.sleep(RETRY_MS);
      }
    }
    this.#sending = undefined;
  }

  #away(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.log.error(
      { waiting: this.waiting, error: errorText(error) },
      'events cannot be passed on; they are kept in memory',
    );
  }

  #back(): void {
    this.#isAway = false;
    this.#options.log.info({ waiting: this.waiting }, 'events are passed on again');
  }

  /** Drops the oldest message; of commands, which are dropped last, the oldest one. */
  #dropOne(): void {
    const index = this.#waiting.findIndex(
      (entry) => 't' in entry && entry.t.startsWith('MESSAGE_'),
    );
    this.#waiting.splice(Math.max(index, 0), 1);
    this.#dropped += 1;
    if (this.#dropped > 1) return;
    const message = 'too many events wait for Redis; the oldest messages are dropped';
    this.#options.log.error({ waiting: this.waiting }, message);
  }
}
