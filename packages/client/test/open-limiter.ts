import { createFakeClock } from '@virgule/core/clock';
import { Limiter, type LimitKey, type Permit } from '../src/limits/limiter.js';
import type { RestoredLimits } from '../src/limits/saved-limits.js';

/** What an answer's headers say. */
export interface Rates {
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset?: number;
  readonly date?: string;
}

export function headersOf({ limit, remaining, reset, date }: Rates): Record<string, string> {
  const headers = Object.entries({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
    date,
  });
  return Object.fromEntries(
    headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** A limiter on a clock that the test pushes, and answers to what it lets through. */
export function openLimiter(saved?: RestoredLimits) {
  const clock = createFakeClock();
  const limiter = new Limiter(clock, { saved });
  return {
    clock,
    limiter,
    /** How long a request has to wait; `busy` when for another one. */
    waitMs(key: LimitKey): number | 'busy' {
      const denial = limiter.ask(key);
      if (!denial) return 0;
      return denial.untilMs === undefined ? 'busy' : denial.untilMs - clock.monotonic();
    },
    send: (key: LimitKey): Permit => limiter.take(key),
    accept(permit: Permit, rates: Rates = {}): void {
      limiter.giveBack(permit, { kind: 'accepted', headers: headersOf(rates) });
    },
    refuse(permit: Permit, seconds: number | undefined, rates: Rates = {}, jitterMs = 0): void {
      limiter.giveBack(permit, {
        kind: 'limited',
        headers: headersOf(rates),
        retryAfterMs: (seconds ?? 5) * 1_000,
        stated: seconds !== undefined,
        jitterMs,
      });
    },
  };
}
