import { settlesWithin, type Clock } from '@virgule/core/clock';
import { createOutage, type Log } from '@virgule/core/log';

/** Maximum number of items that are kept while Redis is away. */
const MAX_WAITING = 50_000;
const BATCH = 100;
const RETRY_MS = 100;

export interface OutboxOptions<Item> {
  /** Sends a batch. A failed batch may have taken effect and is sent again, unchanged. */
  readonly send: (batch: readonly Item[]) => Promise<void>;
  /** Plural noun for the items in the log, such as `events`. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns true for an item that is dropped before others when too many wait. @defaultValue all items are equal */
  readonly isExpendable?: ((item: Item) => boolean) | undefined;
  readonly maxWaiting?: number | undefined;
}

/** Sends items to Redis in their order, and keeps them while Redis is away. */
export class Outbox<Item> {
  readonly #options: OutboxOptions<Item>;
  readonly #waiting: Item[] = [];
  /** Items in flight, until Redis confirms them. */
  #batch: readonly Item[] = [];
  #sending: Promise<void> | undefined;
  #isClosed = false;
  /** Number of items that were dropped because too many waited. */
  dropped = 0;

  constructor(options: OutboxOptions<Item>) {
    this.#options = options;
  }

  /** Number of items that are not sent yet. */
  get waiting(): number {
    return this.#waiting.length + this.#batch.length;
  }

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > (this.#options.maxWaiting ?? MAX_WAITING)) this.#dropOne();
    this.#sending ??= this.#send();
  }

  /** Sends the waiting items within `ms` milliseconds and stops. Returns the number of lost items. */
  async close(ms: number): Promise<number> {
    if (this.#sending) await settlesWithin(this.#sending, ms, this.#options.clock);
    this.#isClosed = true;
    return this.waiting;
  }

  async #send(): Promise<void> {
    const { send, name, clock, log } = this.#options;
    const outage = createOutage(log);
    // Items that are pushed in the same tick are sent together.
    await Promise.resolve();
    while (!this.#isClosed && this.waiting > 0) {
      if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, BATCH);
      try {
        await send(this.#batch);
        this.#batch = [];
        outage.ended(`${name} are sent to Redis again`, { waiting: this.waiting });
      } catch (error) {
        const message = `${name} cannot be sent to Redis; they are kept in memory`;
        outage.failed(error, message, { waiting: this.waiting }, 'error');
        await clock.sleep(RETRY_MS);
      }
    }
    this.#sending = undefined;
  }

  /** Drops the oldest expendable item, or else the oldest one. */
  #dropOne(): void {
    const { name, log, isExpendable = () => true } = this.#options;
    this.#waiting.splice(Math.max(this.#waiting.findIndex(isExpendable), 0), 1);
    this.dropped += 1;
    if (this.dropped > 1) return;
    log.error({ waiting: this.waiting }, `too many ${name} wait for Redis; the oldest are dropped`);
  }
}
