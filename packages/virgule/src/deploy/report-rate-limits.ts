import type { Clock } from '@virgule/core/clock';

/** Interval of the checks, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
/** Minimum duration of a reported pause, in milliseconds: a shorter pause ends before the report is read. */
const MIN_REPORTED_MS = 1_000;

/**
 * Reports each pause of a rate limit once. Without the report, the command would seem to hang.
 *
 * @param pausedForMs - returns the remaining pause, in milliseconds; 0 without a pause
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
