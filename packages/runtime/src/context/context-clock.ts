import type { Clock } from '@virgule/core/clock';
import { durationMs, type Duration } from '../define/duration.js';
import type { SignalSource } from './channel-handle.js';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** Time for handlers. Tests can push it. */
export interface ContextClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits; rejects at once when the command is aborted. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

export function createContextClock(clock: Clock, life: SignalSource): ContextClock {
  return {
    now: () => clock.now(),
    sleep: async (duration) => {
      const ms = durationMs(duration);
      if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(duration) });
      await clock.sleep(ms, { signal: life.signal });
    },
  };
}
