import { createFakeClock, type Clock } from '@virgule/core/clock';
import type { LimitKey } from '../src/request/bucket.js';
import { RateLimits, type Permit } from '../src/request/rate-limits.js';

/** What a 429 may say in addition to its wait. */
export interface RefusalOptions {
  /** `X-RateLimit-Limit`. */
  readonly limit?: number | undefined;
  /** Added to the wait. */
  readonly jitterMs?: number | undefined;
}

/** Answers to what a limiter lets through. */
export function driveLimiter(clock: Pick<Clock, 'monotonic'>) {
  const limiter = new RateLimits(clock);
  return {
    limiter,
    /** How long a request has to wait; `busy` when for another one. */
    waitMs(key: LimitKey): number | 'busy' {
      const answer = limiter.ask(key);
      if (typeof answer === 'number') return answer - clock.monotonic();
      return answer === 'go' ? 0 : answer;
    },
    send: (key: LimitKey): Permit => limiter.take(key),
    accept: (permit: Permit) => limiter.release(permit, { kind: 'accepted' }),
    refuse: (permit: Permit, seconds: number | undefined, more: RefusalOptions = {}) =>
      limiter.release(permit, {
        kind: 'limited',
        retryAfterMs: (seconds ?? 5) * 1_000,
        stated: seconds !== undefined,
        limit: more.limit,
        jitterMs: more.jitterMs ?? 0,
      }),
  };
}

/** The same on a clock that the test pushes. */
export function openLimiter() {
  const clock = createFakeClock();
  return { clock, ...driveLimiter(clock) };
}
