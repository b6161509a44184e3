import type { Clock } from '@virgule/core/clock';

/** Jump that means a change of the clock of Redis, not a slow command, in milliseconds. */
const JUMP_MS = 1_000;
/** Number of latest measurements that are compared. The shortest round trip has the best offset. */
const MEASUREMENTS = 16;

/** Translates between the clock of this process and the clock of Redis, which all processes share. */
export class RedisTime {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #measured: { readonly offsetMs: number; readonly roundTripMs: number }[] = [];
  #offsetMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records the time of Redis in the reply to a command sent at `sentAtMs`. Drops earlier times if its clock was set. */
  measure(nowMs: number, sentAtMs: number): void {
    const receivedAtMs = this.#clock.monotonic();
    const roundTripMs = receivedAtMs - sentAtMs;
    const offsetMs = nowMs - (sentAtMs + receivedAtMs) / 2;
    const hasJumped =
      this.#measured.length > 0 && Math.abs(offsetMs - this.#offsetMs) > JUMP_MS + roundTripMs;
    if (hasJumped) this.#measured = [];
    this.#measured = [...this.#measured.slice(1 - MEASUREMENTS), { offsetMs, roundTripMs }];
    const [best] = this.#measured.toSorted((one, other) => one.roundTripMs - other.roundTripMs);
    this.#offsetMs = best?.offsetMs ?? 0;
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
