/** Maximum pause after the first failure, doubled after each further failure up to `max`; in milliseconds. */
const PAUSE_MS = { first: 250, max: 2_000 };

/** Minimum time until the deadline for another attempt, in milliseconds. */
const LAST_ATTEMPT_MS = 100;

/** Maximum random delay in milliseconds that spreads the calls waiting for one rate limit. */
export const LIMIT_JITTER_MS = 250;

/**
 * Returns the pause before another attempt of a platform call, in milliseconds, or `undefined` if no time is left for
 * an attempt. The pause is at most half of the time left: the platform may recover before the deadline.
 *
 * @param failures - number of failures in a row, from 1.
 * @param share - fraction of the pause, from 0 to 1. Random: clients that failed together must not retry together.
 */
export function retryPauseMs(failures: number, leftMs: number, share: number): number | undefined {
  if (leftMs < LAST_ATTEMPT_MS) return undefined;
  const pauseMs = share * Math.min(PAUSE_MS.max, PAUSE_MS.first * 2 ** (failures - 1));
  return Math.min(pauseMs, leftMs / 2);
}
