import type { Log } from '@virgule/core/log';
import type { GatewayEvent } from './port.js';

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
  readonly #options: DispatchQueueOptions;
  readonly #events: GatewayEvent[] = [];
  /** How many at the front are delivered: cut off together, as shifting moves all the others each time. */
  #done = 0;
  /** Whether a new event has to wait. */
  #isWaiting = false;
  #isOver = false;
  #dropped = 0;
  /** Dropped since the queue was last empty. */
  #droppedNow = 0;

  constructor(options: DispatchQueueOptions) {
    this.#options = options;
  }

  /** How many events wait. */
  get length(): number {
    return this.#events.length - this.#done;
  }

  /** How many were dropped so far. */
  get dropped(): number {
    return this.#dropped;
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
    if (left > 0) {
      this.#options.log.warn(
        { left },
        'the gateway was closed while events waited; they are dropped',
      );
    }
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
    this.#dropped += 1;
    this.#droppedNow += 1;
    if (this.#droppedNow > 1) return;
    this.#options.log.error(
      { waiting: this.length },
      'events arrive faster than they are handled; the oldest messages are dropped',
    );
  }
}
