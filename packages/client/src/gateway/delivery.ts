import { RecentIds } from '@virgule/core/collections';
import type { Log } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import { Backfill } from './backfill.js';
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
    const { log, clock, maxWaitingEvents: max, backfill } = options;
    this.#options = options;
    this.#queue = new DispatchQueue({
      max,
      log,
      deliver: (event) => this.#call((listener) => listener.dispatch(event)),
      busy: () => this.#call((listener) => listener.busy?.()),
    });
    if (!backfill) return;
    this.#messages = new RecentIds(MAX_REMEMBERED);
    this.#backfill = new Backfill({
      ...backfill,
      clock,
      log,
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

  get counts(): DeliveryCounts {
    const { dropped, length } = this.#queue;
    return { duplicates: this.#repeats, recovered: this.#recovered, dropped, waiting: length };
  }

  start(listener: GatewayListener): void {
    this.#listener = listener;
  }

  /** Takes an event of a socket. */
  take(event: GatewayEvent): void {
    if (!this.#isRepeat(event) && !this.#backfill?.hold(event)) this.#queue.push(event);
  }

  report(status: GatewayStatus): void {
    this.#call((listener) => listener.status?.(status));
  }

  /** Reads back what was missed since then. */
  recover(fromWallMs: number): void {
    this.#backfill?.begin(fromWallMs);
  }

  close(): void {
    this.#backfill?.close();
    this.#queue.close();
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

  /** A listener must not throw; if it does, the socket must not suffer for it, nor the process for an async one. */
  #call<Result>(use: (listener: GatewayListener) => Result): Result | undefined {
    const logThrow = (error: unknown): void =>
      this.#options.log.error({ error }, 'a gateway listener threw');
    try {
      const result = this.#listener && use(this.#listener);
      if (result instanceof Promise) result.catch(logThrow);
      return result;
    } catch (error) {
      logThrow(error);
      return undefined;
    }
  }
}

export interface DispatchQueueOptions {
  /** How many events wait at most. */
  readonly max: number;
  readonly log: Log;
  /** Hands one event over. Never throws. */
  readonly deliver: (event: GatewayEvent) => void;
  /** Whether the receiver has enough to do, and until when. Never throws. */
  readonly busy: () => Promise<unknown> | undefined;
}

/**
 * Keeps events while the receiver is busy, and hands them over in their order. Without back-pressure
 * every event goes through at once. Commands always do: their time to be answered runs already.
 */
export class DispatchQueue {
  /** How many were dropped so far. */
  dropped = 0;
  readonly #options: DispatchQueueOptions;
  readonly #events: GatewayEvent[] = [];
  /** How many at the front are delivered: cut off together, as shifting moves all the others each time. */
  #done = 0;
  /** Whether a new event has to wait. */
  #isWaiting = false;
  #isOver = false;
  /** Dropped since the queue was last empty. */
  #droppedNow = 0;

  constructor(options: DispatchQueueOptions) {
    this.#options = options;
  }

  /** How many events wait. */
  get length(): number {
    return this.#events.length - this.#done;
  }

  push(event: GatewayEvent): void {
    if (this.#isOver) return;
    if (event.t === 'APPLICATION_COMMAND' || (!this.#isWaiting && !this.#mustWait())) {
      this.#options.deliver(event);
      return;
    }
    this.#events.push(event);
    if (this.length > this.#options.max) this.#dropOne();
  }

  /** Drops what waits. */
  close(): void {
    this.#isOver = true;
    const left = this.length;
    this.#events.length = this.#done = 0;
    if (left === 0) return;
    const message = 'the gateway was closed while events waited; they are dropped';
    this.#options.log.warn({ left }, message);
  }

  /** Asks the receiver; true when it has enough to do, and then the queue continues by itself. */
  #mustWait(): boolean {
    const busy = this.#options.busy();
    if (!busy) return false;
    this.#isWaiting = true;
    const resume = (): void => this.#drain();
    busy.then(resume, resume);
    return true;
  }

  #drain(): void {
    while (this.length > 0 && !this.#mustWait()) {
      const event = this.#events[this.#done];
      this.#done += 1;
      if (event) this.#options.deliver(event);
    }
    this.#events.splice(0, this.#done);
    this.#done = 0;
    if (this.#events.length > 0) return;
    this.#isWaiting = false;
    if (this.#droppedNow === 0) return;
    this.#options.log.warn({ dropped: this.#droppedNow }, 'all waiting events were delivered');
    this.#droppedNow = 0;
  }

  #dropOne(): void {
    const isMessage = ({ t }: GatewayEvent, index: number): boolean =>
      index >= this.#done && t.startsWith('MESSAGE_');
    this.#events.splice(Math.max(this.#events.findIndex(isMessage), this.#done), 1);
    this.dropped += 1;
    this.#droppedNow += 1;
    if (this.#droppedNow > 1) return;
    const message = 'events arrive faster than they are handled; the oldest messages are dropped';
    this.#options.log.error({ waiting: this.length }, message);
  }
}
