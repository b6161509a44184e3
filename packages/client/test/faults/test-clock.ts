import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { vi } from 'vitest';

/** A fake clock that can wait for what a real socket does. */
export interface TestClock extends FakeClock {
  /** Advances time in steps until `check` no longer throws. */
  push(stepMs: number, check: () => void): Promise<void>;
}

export function createTestClock(): TestClock {
  const clock = createFakeClock();
  return Object.assign(clock, {
    push: (stepMs: number, check: () => void) =>
      vi.waitFor(
        async () => {
          await clock.advance(stepMs);
          check();
        },
        // In real time, and for a busy machine: it ends as soon as the check passes.
        { timeout: 60_000, interval: 1 },
      ),
  });
}
