import type { Clock } from '@virgule/core/clock';
import { refusal } from './platform-routes.js';
import type { Answer } from '../scripted-server.js';

/** A limit of the platform's: so many requests in each window of time. */
export interface LimitWindow {
  /** Counts a request; the answer is a 429 when it is one too many. */
  take(): Answer | undefined;
  /** Number of refused requests. */
  readonly refused: number;
}

export interface LimitWindowOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export function createLimitWindow({ limit, windowMs, clock }: LimitWindowOptions): LimitWindow {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  let refused = 0;
  return {
    take() {
      const nowMs = clock.monotonic();
      if (nowMs >= endsAtMs) {
        endsAtMs = nowMs + windowMs;
        used = 0;
      }
      used += 1;
      if (used <= limit) return undefined;
      refused += 1;
      const seconds = Math.ceil((endsAtMs - nowMs) / 1_000);
      return {
        status: 429,
        headers: {
          'retry-after': String(seconds),
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(seconds),
        },
        json: refusal('bot_rate_limited', { retryAfterSeconds: seconds }),
      };
    },
    get refused() {
      return refused;
    },
  };
}
