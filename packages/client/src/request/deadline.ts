import type { Clock, Timer } from '@virgule/core/clock';

/**
 * A timer that fires later than this is late because this process was asleep or busy, in milliseconds. What came in
 * meanwhile lies unread in the socket: it is read before anything is judged.
 */
export const LATE_MS = 20;

/**
 * Runs `expired` after `forMs` milliseconds. When our own timer fires late, the fault may be ours: what the socket has
 * received is read first, for `graceMs`.
 */
export function startDeadline(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
  forMs: number,
  graceMs: number,
  expired: () => void,
): Timer {
  const dueAtMs = clock.monotonic() + forMs;
  let timer = clock.setTimeout(() => {
    if (clock.monotonic() - dueAtMs <= LATE_MS) expired();
    else timer = clock.setTimeout(expired, graceMs);
  }, forMs);
  return { cancel: () => timer.cancel() };
}
