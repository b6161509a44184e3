import { createFakeClock, type Clock } from '@virgule/core/clock';
import type { LimitKey, LimitOutcome } from '../src/request/bucket.js';
import { RateLimits, type Permit } from '../src/request/rate-limits.js';

/** A request that was let through. */
export interface Sent {
  readonly key: LimitKey;
  readonly permit: Permit;
}

/** Facts of a 429 in addition to its wait. */
export interface RefusalOptions {
  /** `X-RateLimit-Limit`. */
  readonly limit?: number | undefined;
  /** Added to the wait. */
  readonly jitterMs?: number | undefined;
}

/** Answers to what a limiter lets through. */
export function driveLimiter(clock: Pick<Clock, 'monotonic'>) {
  const limiter = new RateLimits(clock);
  const end = ({ key, permit }: Sent, outcome: LimitOutcome): void =>
    limiter.release(key, permit, outcome);
  return {
    limiter,
    /** Returns the wait of a request; `busy` if it waits for another request. */
    waitMs(key: LimitKey): number | 'busy' {
      const answer = limiter.ask(key);
      if (typeof answer === 'number') return answer - clock.monotonic();
      return answer === 'go' ? 0 : answer;
    },
    send: (key: LimitKey): Sent => ({ key, permit: limiter.take(key) }),
    end,
    accept: (sent: Sent) => end(sent, { kind: 'accepted' }),
    refuse: (sent: Sent, seconds: number | undefined, more: RefusalOptions = {}) =>
      end(sent, {
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
