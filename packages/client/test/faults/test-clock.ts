import { createFakeClock, type FakeClock } from '@virgule/core/clock';

/** A fake clock that can wait for what a real socket does. */
export interface TestClock extends FakeClock {
  /** Advances time in steps until `check` no longer throws. A function returns the next step. */
  push(stepMs: number | (() => number), check: () => void): Promise<void>;
}

/**
 * Both ends of a connection are in this process: in this many turns of the event loop a request arrives and is answered,
 * however busy the machine is.
 */
const TURNS_PER_STEP = 32;
/** A minute at least: it ends as soon as the check passes. */
const MAX_STEPS = 1_000_000;

export function createTestClock(): TestClock {
  const clock = createFakeClock();
  return Object.assign(clock, {
    async push(stepMs: number | (() => number), check: () => void) {
      for (let steps = 1; ; steps += 1) {
        await clock.advance(typeof stepMs === 'number' ? stepMs : stepMs());
        for (let turns = 0; turns < TURNS_PER_STEP; turns += 1) await clock.advance(0);
        try {
          return check();
        } catch (error) {
          if (steps === MAX_STEPS) throw error;
        }
      }
    },
  });
}
