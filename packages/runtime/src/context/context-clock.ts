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
  return new BoundClock(clock, life);
}

/** Its functions are made when they are asked for: a command that waits would hold them for long. */
class BoundClock implements ContextClock {
  readonly #clock: Clock;
  readonly #life: SignalSource;

  constructor(clock: Clock, life: SignalSource) {
    this.#clock = clock;
    this.#life = life;
  }

  get now(): ContextClock['now'] {
    return () => this.#clock.now();
  }

  get sleep(): ContextClock['sleep'] {
    return async (duration) => {
      const ms = durationMs(duration);
      if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(duration) });
      await this.#clock.sleep(ms, { signal: this.#life.signal });
    };
  }
}
