/** The longest pause after the first failure, doubled after each further one up to the maximum; in milliseconds. */
const PAUSE_MS = { first: 250, max: 2_000 };

/** With less time than this until the deadline, there is no other attempt; in milliseconds. */
const LAST_ATTEMPT_MS = 100;

/**
 * Returns the pause before another attempt of a call of the platform, in milliseconds, or `undefined` if there is no
 * time for one. It takes no more than half of the time that is left: the platform may be back before that.
 *
 * @param failures - how many failed in a row, from 1.
 * @param share - how much of the pause is taken, from 0 to 1. Random: clients that failed together must not retry together.
 */
export function retryPauseMs(failures: number, leftMs: number, share: number): number | undefined {
  if (leftMs < LAST_ATTEMPT_MS) return undefined;
  const pauseMs = share * Math.min(PAUSE_MS.max, PAUSE_MS.first * 2 ** (failures - 1));
  return Math.min(pauseMs, leftMs / 2);
}
