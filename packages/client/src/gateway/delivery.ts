import { RecentIds } from '@virgule/core/collections';
import { isRecord } from '@virgule/core/objects';
import { Backfill, type GatewayBackfill } from './backfill.js';
import { DispatchQueue } from './dispatch-queue.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent, GatewayListener, GatewayStatus } from './port.js';

/** What happened to events for the listener, counted since the gateway was made. */
export interface DeliveryCounts {
  /** Came before, over this or an earlier connection; dropped. */
  readonly duplicates: number;
  /** Missed, and read back. */
  readonly recovered: number;
  /** Dropped because the listener was busy for too long. */
  readonly dropped: number;
  /** Waiting for the listener now. */
  readonly waiting: number;
}

/** Commands, and messages when missed ones are read back, that are recognized when they come again. */
const MAX_REMEMBERED = 10_000;

/** Brings events from the socket to the listener: each once, in order, and no faster than it handles them. */
export class Delivery {
  readonly #options: ResolvedGatewayOptions;
  readonly #queue: DispatchQueue;
  readonly #backfill: Backfill | undefined;
  readonly #commands = new RecentIds(MAX_REMEMBERED);
  /** Only a message that is read back can come twice. */
  readonly #messages: RecentIds | undefined;
  #listener: GatewayListener | undefined;
  #repeats = 0;
  #recovered = 0;

  constructor(options: ResolvedGatewayOptions) {
    const { log, clock, maxWaitingEvents, backfill } = options;
    this.#options = options;
    this.#queue = new DispatchQueue({
      max: maxWaitingEvents,
      log,
      deliver: (event) => this.#deliver(event),
      busy: () => this.#busy(),
    });
    this.#messages = backfill && new RecentIds(MAX_REMEMBERED);
    this.#backfill = backfill && this.#createBackfill(backfill, clock);
  }

  get counts(): DeliveryCounts {
    const { dropped, length } = this.#queue;
    return { duplicates: this.#repeats, recovered: this.#recovered, dropped, waiting: length };
  }

  start(listener: GatewayListener): void {
    this.#listener = listener;
  }

  /** Takes an event of a socket. */
  take(event: GatewayEvent): void {
    if (this.#isRepeat(event)) return;
    if (this.#backfill?.hold(event)) return;
    this.#queue.push(event);
  }

  report(status: GatewayStatus): void {
    try {
      this.#watch(this.#listener?.status?.(status));
    } catch (error) {
      this.#logThrow(error);
    }
  }

  /** Reads back what was missed since then. */
  recover(fromWallMs: number): void {
    this.#backfill?.begin(fromWallMs);
  }

  close(): void {
    this.#backfill?.close();
    this.#queue.close();
  }

  #createBackfill(backfill: GatewayBackfill, clock: ResolvedGatewayOptions['clock']): Backfill {
    return new Backfill({
      ...backfill,
      clock,
      log: this.#options.log,
      deliver: (event) => {
        // What was held has been compared when it came.
        if (event.recovered) {
          if (this.#isRepeat(event)) return false;
          this.#recovered += 1;
        }
        this.#queue.push(event);
        return true;
      },
    });
  }

  /** Remembers commands and messages by their ids; other events have none. */
  #isRepeat({ t, d }: GatewayEvent): boolean {
    const isCommand = t === 'APPLICATION_COMMAND';
    const ids = isCommand ? this.#commands : t === 'MESSAGE_CREATE' ? this.#messages : undefined;
    if (!ids || !isRecord(d)) return false;
    const id = d[isCommand ? 'interactionId' : 'id'];
    if (typeof id !== 'string' || ids.add(id)) return false;
    this.#repeats += 1;
    return true;
  }

  // A listener must not throw; if it does, the socket must not suffer for it, nor the process for an async one.

  #deliver(event: GatewayEvent): void {
    try {
      this.#watch(this.#listener?.dispatch(event));
    } catch (error) {
      this.#logThrow(error);
    }
  }

  #busy(): Promise<unknown> | undefined {
    try {
      return this.#listener?.busy?.();
    } catch (error) {
      this.#logThrow(error);
      return undefined;
    }
  }

  #watch(result: unknown): void {
    if (result instanceof Promise) result.catch((error: unknown) => this.#logThrow(error));
  }

  #logThrow(error: unknown): void {
    this.#options.log.error({ error }, 'a gateway listener threw');
  }
}
