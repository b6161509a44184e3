import type { Clock } from '@virgule/core/clock';

/**
 * What is known about the platform's rate limits. It states no limit in advance, so nothing is held
 * back until a 429 says how long a bucket has to be left alone.
 */
export interface Limiter {
  /** How long a request of this bucket has to wait from now, in milliseconds; 0 when it may go. */
  delayMs(bucket: string): number;
  /** A 429 came: the bucket is left alone for `forMs` milliseconds. */
  pause(bucket: string, forMs: number): void;
}

/** Pauses that are over are swept out when there are more than this. */
const SWEEP_ABOVE = 1_000;

export function createLimiter(clock: Pick<Clock, 'monotonic'>): Limiter {
  const pausedUntilMs = new Map<string, number>();

  function sweep(): void {
    const nowMs = clock.monotonic();
    for (const [bucket, untilMs] of pausedUntilMs) {
      if (untilMs <= nowMs) pausedUntilMs.delete(bucket);
    }
  }

  return {
    delayMs(bucket) {
      const untilMs = pausedUntilMs.get(bucket);
      if (untilMs === undefined) return 0;
      const leftMs = untilMs - clock.monotonic();
      if (leftMs > 0) return leftMs;
      pausedUntilMs.delete(bucket);
      return 0;
    },
    pause(bucket, forMs) {
      if (pausedUntilMs.size >= SWEEP_ABOVE) sweep();
      const untilMs = clock.monotonic() + forMs;
      pausedUntilMs.set(bucket, Math.max(untilMs, pausedUntilMs.get(bucket) ?? 0));
    },
  };
}
