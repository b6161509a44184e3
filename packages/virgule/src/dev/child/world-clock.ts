import type { Clock } from '@virgule/core/clock';
import type { SimClockState } from '@virgule/core/simulator-api';

/**
 * Creates the clock of a bot in development: its date is that of the simulated world, so that tasks are due and stored
 * entries expire by it. Durations are real: connections and the time to answer do not end early.
 */
export function createWorldClock(real: Clock) {
  let state: SimClockState = { offsetMs: 0, pausedAtMs: null };
  return {
    ...real,
    now: (): number => state.pausedAtMs ?? real.now() + state.offsetMs,
    set(next: SimClockState): void {
      state = next;
    },
  };
}
