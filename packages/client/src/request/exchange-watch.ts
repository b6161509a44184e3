import type { Clock, Timer } from '@virgule/core/clock';
import { Roster, type Member } from '@virgule/core/collections';

/** When a timer fires this much late, this process was asleep or busy, and the response may be unread. */
const STALLED_MS = 500;

/** Time to read what came in meanwhile, in milliseconds. */
const STALL_GRACE_MS = 50;

/** Something with a time limit. */
export interface Watched extends Member {
  /** Ends it when its time is over; otherwise returns when to look again, by `Clock.monotonic()`. */
  look(nowMs: number): number | undefined;
}

/**
 * One timer for all requests in flight: nearly all of them are answered long before
 * their time is over, and a timer for each would cost more than the rest of watching them.
 */
export class ExchangeWatch {
  readonly #clock: Pick<Clock, 'monotonic' | 'setTimeout'>;
  readonly #watched = new Roster<Watched>();
  #timer: Timer | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonic' | 'setTimeout'>) {
    this.#clock = clock;
  }

  /** `lookAtMs` says when to look at it first. */
  add(watched: Watched, lookAtMs: number): void {
    this.#watched.add(watched);
    this.lookBy(lookAtMs);
  }

  /** Something may reach its limit earlier than it was to be looked at. */
  lookBy(lookAtMs: number): void {
    if (lookAtMs < this.#wakesAtMs) this.#wakeAt(lookAtMs, true);
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size === 0) this.#sleep();
  }

  #wakeAt(atMs: number, mayStall: boolean): void {
    this.#timer?.cancel();
    this.#wakesAtMs = atMs;
    this.#timer = this.#clock.setTimeout(
      () => this.#wake(mayStall),
      atMs - this.#clock.monotonic(),
    );
  }

  #sleep(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
  }

  #wake(mayStall: boolean): void {
    const nowMs = this.#clock.monotonic();
    if (mayStall && nowMs - this.#wakesAtMs > STALLED_MS) {
      this.#wakeAt(nowMs + STALL_GRACE_MS, false);
      return;
    }
    this.#sleep();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const each of this.#watched.all()) nextMs = Math.min(nextMs, each.look(nowMs) ?? nextMs);
    // Code that runs at an end may have started another exchange, which is watched by then.
    if (nextMs < this.#wakesAtMs) this.#wakeAt(nextMs, true);
  }
}
