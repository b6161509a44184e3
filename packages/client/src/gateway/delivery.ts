import { RecentIds } from '@virgule/core/collections';
import { isRecord } from '@virgule/core/objects';
import { Backfill } from './backfill.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent, GatewayListener, GatewayStatus } from './port.js';

/** Counts of events for the listener, since the creation of the gateway. */
export interface DeliveryCounts {
  /** Number of dropped events that were received before, over this or an earlier connection. */
  readonly duplicates: number;
  /** Number of missed events that were read back. */
  readonly recovered: number;
  /** Number of events that were dropped because the listener was busy for too long. */
  readonly dropped: number;
  /** Number of events that wait for the listener now. */
  readonly waiting: number;
}

/** Number of remembered commands, to recognize repeated ones. With 2,000, a command took 5 % more CPU time: they exceed the processor's cache. */
const REMEMBERED_COMMANDS = 500;
/** Number of remembered messages with a backfill, which may read messages of a long gap. */
const REMEMBERED_MESSAGES = 10_000;

/** Number of times that a listener can be busy before an event is delivered anyway. */
const MAX_TIMES_BUSY = 2;

/** Delivers events to the listener once and in order. While it is busy, all but commands wait. */
export class Delivery {
  readonly #options: ResolvedGatewayOptions;
  readonly #backfill: Backfill | undefined;
  readonly #commands = new RecentIds(REMEMBERED_COMMANDS);
  /** Ids of messages, used only with a backfill: only a message that is read back can come twice. */
  readonly #messages: RecentIds | undefined;
  readonly #waiting: GatewayEvent[] = [];
  #listener: GatewayListener | undefined;
  #mustWait = false;
  /** Number of promises of `busy` since the last delivered event. */
  #timesBusy = 0;
  #isOver = false;
  readonly #counts = { duplicates: 0, recovered: 0, dropped: 0 };
  /** Number of dropped events since the queue was last empty. */
  #droppedNow = 0;

  constructor(options: ResolvedGatewayOptions) {
    const { log, clock, backfill } = options;
    this.#options = options;
    if (!backfill) return;
    this.#messages = new RecentIds(REMEMBERED_MESSAGES);
    this.#backfill = new Backfill({
      ...backfill,
      clock,
      log,
      deliver: (event) => {
        // Held events were checked at their arrival.
        if (event.recovered) {
          if (this.#isRepeat(event)) return false;
          this.#counts.recovered += 1;
        }
        this.#push(event);
        return true;
      },
    });
  }

  get counts(): DeliveryCounts {
    return { ...this.#counts, waiting: this.#waiting.length };
  }

  start(listener: GatewayListener): void {
    this.#listener = listener;
  }

  take(event: GatewayEvent): void {
    if (!this.#isRepeat(event) && !this.#backfill?.hold(event)) this.#push(event);
  }

  report(status: GatewayStatus): void {
    try {
      this.#watch(this.#listener?.status?.(status));
    } catch (error) {
      this.#logThrow(error);
    }
  }

  /** Reads back the messages that were missed since a wall-clock time in milliseconds. */
  recover(fromWallMs: number): void {
    this.#backfill?.begin(fromWallMs);
  }

  /** Drops the waiting events. */
  close(): void {
    this.#backfill?.close();
    this.#isOver = true;
    const left = this.#waiting.splice(0).length;
    if (left === 0) return;
    const message = 'the gateway was closed while events waited; they are dropped';
    this.#options.log.warn({ left }, message);
  }

  /** Returns true for a repeated command or message. Other events have no id. */
  #isRepeat({ t, d }: GatewayEvent): boolean {
    const isCommand = t === 'APPLICATION_COMMAND';
    const ids = isCommand ? this.#commands : t === 'MESSAGE_CREATE' ? this.#messages : undefined;
    if (!ids || !isRecord(d)) return false;
    const id = d[isCommand ? 'interactionId' : 'id'];
    if (typeof id !== 'string' || ids.add(id)) return false;
    this.#counts.duplicates += 1;
    return true;
  }

  #push(event: GatewayEvent): void {
    if (this.#isOver) return;
    if (event.t === 'APPLICATION_COMMAND' || (!this.#mustWait && !this.#isBusy()))
      return this.#deliver(event);
    this.#waiting.push(event);
    if (this.#waiting.length > this.#options.maxWaitingEvents) this.#dropOne();
  }

  /** Calls the listener. Logs an error or rejection, so that it affects neither the socket nor the process. */
  #deliver(event: GatewayEvent): void {
    try {
      this.#watch(this.#listener?.dispatch(event));
    } catch (error) {
      this.#logThrow(error);
    }
  }

  /** Returns true if the listener is busy. The waiting events are then delivered when its promise settles. */
  #isBusy(): boolean {
    let busy: unknown;
    try {
      // An async `busy` always returns a promise, so the number of calls for an event is limited.
      if (this.#timesBusy < MAX_TIMES_BUSY) busy = this.#listener?.busy?.();
    } catch (error) {
      this.#logThrow(error);
    }
    this.#watch(busy);
    if (!busy) {
      this.#timesBusy = 0;
      return false;
    }
    this.#timesBusy += 1;
    this.#mustWait = true;
    const resume = (): void => this.#drain();
    Promise.resolve(busy).then(resume, resume);
    return true;
  }

  #drain(): void {
    while (this.#waiting.length > 0) {
      if (this.#isBusy()) return;
      const event = this.#waiting.shift();
      if (event) this.#deliver(event);
    }
    this.#mustWait = false;
    if (this.#droppedNow === 0) return;
    this.#options.log.warn({ dropped: this.#droppedNow }, 'all waiting events were delivered');
    this.#droppedNow = 0;
  }

  /** Drops the oldest message, or else the oldest event. */
  #dropOne(): void {
    const message = this.#waiting.findIndex(({ t }) => t.startsWith('MESSAGE_'));
    this.#waiting.splice(Math.max(message, 0), 1);
    this.#counts.dropped += 1;
    this.#droppedNow += 1;
    if (this.#droppedNow > 1) return;
    this.#options.log.error(
      { waiting: this.#waiting.length },
      'events arrive faster than they are handled; the oldest messages are dropped',
    );
  }

  #watch(result: unknown): void {
    if (result instanceof Promise) result.catch((error: unknown) => this.#logThrow(error));
  }

  #logThrow(error: unknown): void {
    this.#options.log.error({ error }, 'a gateway listener threw');
  }
}
