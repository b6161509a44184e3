import type { Clock } from '@virgule/core/clock';
import { durationMs, type Duration } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { CallScope } from '../interaction/lifetime.js';

/** The clock of handlers. Tests can advance it. */
export interface ContextClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits, also after the handler has returned; rejects as soon as the command times out or the bot shuts down. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

export function createContextClock(clock: Clock, lifetime: CallScope): ContextClock {
  return new BoundClock(clock, lifetime);
}

/** Its functions are created when they are read: a command that waits would keep them for long. */
class BoundClock implements ContextClock {
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
      await this.#lifetime.during((signal) => this.#clock.sleep(ms, { signal }));
    };
  }
}
