import type { Clock } from '@virgule/core/clock';
import { durationMs, type Duration } from '../../text/duration.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { CallScope } from '../lifetime.js';

/** The clock of handlers. Tests can advance it. */
export interface ContextClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits, also after the handler has returned; rejects as soon as the command times out or the bot shuts down. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

/** The longest sleep of `Clock`: about 25 days. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/** Its functions are created when they are read: a command that waits would keep them for long. */
export class BoundClock implements ContextClock {
  readonly #clock: Clock;
  readonly #lifetime: CallScope;

  constructor(clock: Clock, lifetime: CallScope) {
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  get now(): ContextClock['now'] {
    return () => this.#clock.now();
  }

  get sleep(): ContextClock['sleep'] {
    return async (duration) => {
      const ms = durationMs(duration);
      if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(duration) });
      await this.#lifetime.during(async (signal) => {
        let leftMs: number = ms;
        for (; leftMs > MAX_SLEEP_MS; leftMs -= MAX_SLEEP_MS)
          await this.#clock.sleep(MAX_SLEEP_MS, { signal });
        await this.#clock.sleep(leftMs, { signal });
      });
    };
  }
}
