import { systemClock, type Clock, type FakeClock } from '@virgule/core/clock';
import type { Duration } from '@virgule/runtime';
import { durationMs } from '@virgule/runtime/project';
import { testingErrors } from './testing-errors.js';
import { withHint } from './with-hint.js';

/** The clock of a test bot. */
export interface TestClock {
  /** Returns the time that handlers see, in milliseconds since the epoch. */
  now(): number;
  /**
   * Advances time, for the bot and the platform. Everything that falls due in between happens, in order: sleeps end,
   * commands are deferred or expire, tasks run, waits end.
   *
   * @throws VirguleError `E_TEST_CLOCK` when the bot was given a clock that runs by itself.
   */
  advance(duration: Duration): Promise<void>;
}

/** How long running handlers get for a final reply when a bot is closed, in milliseconds of real time. */
export const FINAL_REPLY_MS = 250;

/** Creates the clock of a bot, and what tests see of it. */
export function createTestClock(clock: Clock, bind: (callback: () => void) => () => void) {
  /** When each sleep of a handler ends, on this clock. */
  const sleeps = new Set<{ readonly endMs: number }>();
  let isClosing = false;

  const bot: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs) => clock.setTimeout(bind(callback), delayMs),
    async sleep(delayMs, options) {
      // Closing waits for handlers, which would never end on a fake clock that is not advanced.
      if (isClosing) return systemClock.sleep(Math.min(delayMs, FINAL_REPLY_MS), options);
      if (delayMs <= 0) return systemClock.sleep(0, options);
      const entry = { endMs: clock.monotonic() + delayMs };
      sleeps.add(entry);
      try {
        await clock.sleep(delayMs, options);
      } finally {
        sleeps.delete(entry);
      }
    },
  };

  return {
    bot,
    /** An answer that grows while the test does nothing has no time between its edits. */
    profile: isFake(clock) ? { editIntervalMs: 0 } : {},
    test: {
      now: () => clock.now(),
      async advance(duration) {
        if (!isFake(clock)) throw withHint(testingErrors.E_TEST_CLOCK({}));
        await clock.advance(durationMs(duration) ?? 0);
      },
    } satisfies TestClock,
    /** Returns how long the shortest sleep still takes on a clock that tests advance; `undefined` if nothing sleeps on one. */
    sleepsForMs(): number | undefined {
      if (!isFake(clock) || sleeps.size === 0) return undefined;
      return Math.min(...[...sleeps].map(({ endMs }) => endMs)) - clock.monotonic();
    },
    close() {
      isClosing = true;
    },
  };
}

function isFake(clock: Clock): clock is FakeClock {
  return 'advance' in clock;
}
