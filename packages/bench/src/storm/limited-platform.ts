import type { HttpDispatcher } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';

/** A limit for each channel: this many messages in each window. A window begins with its first message. */
export interface ChannelLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface LimitedPlatform extends HttpDispatcher {
  readonly accepted: number;
  /** Requests that were answered 429. */
  readonly refused: number;
}

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** A platform without a network and with a separate clock, which answers after `latencyMs`. */
export function createLimitedPlatform(
  { limit, windowMs }: ChannelLimit,
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
  latencyMs: number,
): LimitedPlatform {
  const windows = new Map<string, Window>();
  let accepted = 0;
  let refused = 0;
  return {
    get accepted() {
      return accepted;
    },
    get refused() {
      return refused;
    },
    dispatch({ path }, handler) {
      const controller = { abort: () => {} };
      handler.onRequestStart(controller);
      const nowMs = clock.monotonic();
      const known = windows.get(path);
      const window =
        known && nowMs < known.endsAtMs ? known : { endsAtMs: nowMs + windowMs, used: 0 };
      windows.set(path, window);
      const isAccepted = window.used < limit;
      if (isAccepted) {
        window.used += 1;
        accepted += 1;
      } else {
        refused += 1;
      }
      clock.setTimeout(() => {
        const retryAfter = String(Math.ceil((window.endsAtMs - nowMs) / 1_000));
        const stated = { 'retry-after': retryAfter, 'x-ratelimit-limit': String(limit) };
        handler.onResponseStart(controller, isAccepted ? 200 : 429, isAccepted ? {} : stated);
        handler.onResponseEnd(controller);
      }, latencyMs);
    },
  };
}
