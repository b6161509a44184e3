import type { AdvanceOptions, Clock } from '@virgule/core/clock';
import { isFakeClock, systemClock, turn } from '@virgule/core/clock';
import type { Duration } from '@virgule/runtime';
import { readDuration } from '@virgule/runtime/project';
import { testingErrors } from './testing-errors.js';
import { withHints } from './with-hint.js';

/** Clock of a test bot. */
export interface TestClock {
  /** Returns the time that handlers see, in milliseconds since the epoch. */
  now(): number;
  /**
   * Advances time, for the bot and the platform. Everything that falls due in between happens, in order: sleeps end,
   * commands are deferred or expire, tasks run, waits end. The clock stops while a run of a task does real work, such
   * as a request to another server. The clock does not stop for a command, which may wait for the test: a command
   * with real work between two sleeps needs `bot.idle()` and another `advance`.
   *
   * @throws VirguleError `E_TEST_CALL` when the bot was given a clock that runs by itself, `E_DURATION` for an invalid duration, `E_TEST_LIMIT` when a run
   * of a task works for longer than the limit.
   */
  advance(duration: Duration): Promise<void>;
}

/** Time limit in real milliseconds for final replies of running handlers when a bot is closed. */
export const FINAL_REPLY_MS = 250;

interface TestClockHooks {
  readonly bind: (callback: () => void) => () => void;
  readonly during: (slept: Promise<void>) => Promise<void>;
  /** Returns whether the current call is of a handler or a task, also through a service. */
  readonly isInHandler: () => boolean;
  readonly advanced: () => AdvanceOptions;
}

/** Creates the clocks of a bot: for handlers, for services, and for the test. */
export function createTestClock(
  clock: Clock,
  { bind, during, isInHandler, advanced }: TestClockHooks,
) {
  /** End times of the sleeps of handlers, on this clock. */
  const sleeps = new Set<{ readonly endMs: number }>();
  let isClosing = false;

  const services: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs, options) => clock.setTimeout(bind(callback), delayMs, options),
    sleep(delayMs, options) {
      // Closing waits for handlers, which would never end on a fake clock that is not advanced.
      if (isClosing) return systemClock.sleep(Math.min(delayMs, FINAL_REPLY_MS), options);
      // During a timer of this machine, `advance` would run ahead, the further the faster the machine is.
      if (delayMs <= 0) return turn().then(() => options?.signal?.throwIfAborted());
      const slept = clock.sleep(delayMs, options);
      return isInHandler() ? during(slept) : slept;
    },
  };
  const bot: Clock = {
    ...services,
    async sleep(delayMs, options) {
      const entry = { endMs: clock.monotonic() + delayMs };
      sleeps.add(entry);
      try {
        await during(services.sleep(delayMs, options));
      } finally {
        sleeps.delete(entry);
      }
    },
  };

  return {
    bot,
    /** Clock of services, whose sleeps make a handler wait only if the handler has called them. */
    services,
    /**
     * Profile without time between the edits of a growing answer, since the test does not advance the clock between
     * them.
     */
    profile: isFakeClock(clock) ? { editIntervalMs: 0 } : {},
    advance: (duration: Duration): Promise<void> =>
      withHints(async () => {
        if (!isFakeClock(clock)) throw testingErrors.E_TEST_CALL({ kind: 'clock' });
        await clock.advance(readDuration(duration), advanced());
      }),
    /** Fires the timers that are due now. */
    playDue: (): Promise<void> =>
      isFakeClock(clock) ? clock.advance(0, advanced()) : systemClock.sleep(0),
    /**
     * Returns the remaining time of the shortest sleep on a clock that tests advance; `undefined` if no handler
     * sleeps.
     */
    sleepsForMs(): number | undefined {
      if (!isFakeClock(clock) || sleeps.size === 0) return undefined;
      return Math.min(...[...sleeps].map(({ endMs }) => endMs)) - clock.monotonic();
    },
    close() {
      isClosing = true;
    },
  };
}
