import type { Clock } from '@virgule/core/clock';

/** Jump that means a change of the clock of Redis, not a slow command, in milliseconds. */
const JUMP_MS = 1_000;
/** Factor by which each measurement ages the best one, because clocks drift: the round trip of the best one counts as longer. */
const AGING = 1.1;

/** Translates between the clock of this process and the clock of Redis, which all processes share. */
export class RedisTime {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #offsetMs = 0;
  /** Round trip of the measurement of the offset: the shortest one has the best offset. */
  #roundTripMs = Infinity;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records the time of Redis in the reply to a command sent at `sentAtMs`. Drops the earlier time if its clock was set. */
  measure(nowMs: number, sentAtMs: number): void {
    const receivedAtMs = this.#clock.monotonic();
    const roundTripMs = receivedAtMs - sentAtMs;
    const offsetMs = nowMs - (sentAtMs + receivedAtMs) / 2;
    const hasJumped = Math.abs(offsetMs - this.#offsetMs) > JUMP_MS + roundTripMs;
    this.#roundTripMs *= AGING;
    if (hasJumped || roundTripMs <= this.#roundTripMs)
      [this.#offsetMs, this.#roundTripMs] = [offsetMs, roundTripMs];
  }

  /** Returns the time of Redis at a reading of `Clock.monotonic()`. */
  fromMonotonic(ms: number): number {
    return ms + this.#offsetMs;
  }

  /** Returns the reading of `Clock.monotonic()` at a time of Redis. */
  toMonotonic(ms: number): number {
    return ms - this.#offsetMs;
  }
}
