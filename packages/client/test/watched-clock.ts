import { createFakeClock, type FakeClock } from '@virgule/core/clock';

/** A fake clock that reports each sleep. */
export interface WatchedClock extends FakeClock {
  /** Every sleep so far, in milliseconds. */
  readonly sleepsMs: readonly number[];
  /** Number of sleeping callers. */
  readonly sleeping: number;
}

export interface WatchedClockOptions {
  /** A sleep advances the time: waits take no time and can be checked afterwards. */
  readonly stepping?: boolean;
}

export function createWatchedClock({ stepping = false }: WatchedClockOptions = {}): WatchedClock {
  const clock = createFakeClock();
  const sleepsMs: number[] = [];
  let sleeping = 0;
  return {
    ...clock,
    sleepsMs,
    get sleeping() {
      return sleeping;
    },
    get pending() {
      return clock.pending;
    },
    async sleep(delayMs, options) {
      sleepsMs.push(delayMs);
      sleeping += 1;
      const sleep = clock.sleep(delayMs, options).finally(() => (sleeping -= 1));
      // Together: it may be aborted while the time advances.
      await (stepping ? Promise.all([sleep, clock.advance(delayMs)]) : sleep);
    },
  };
}
