import type { Clock } from '@virgule/core/clock';

/** The interval of the checks, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
/** A shorter pause is over before it has been read, in milliseconds. */
const MIN_REPORTED_MS = 1_000;

/**
 * Reports each pause of a rate limit once: without it, the command would seem to hang.
 *
 * @param pausedForMs - returns the remaining pause, in milliseconds; 0 without one
 */
export function reportRateLimits(
  clock: Clock,
  pausedForMs: () => number,
  report: (line: string) => void,
): Disposable {
  let isReported = false;
  let timer = clock.setTimeout(check, CHECK_INTERVAL_MS);

  function check(): void {
    const ms = pausedForMs();
    if (ms === 0) isReported = false;
    else if (!isReported && ms >= MIN_REPORTED_MS) {
      isReported = true;
      report(`The platform asks to wait (rate limit): continuing in ${Math.ceil(ms / 1_000)} s.`);
    }
    timer = clock.setTimeout(check, CHECK_INTERVAL_MS);
  }

  return { [Symbol.dispose]: () => timer.cancel() };
}
