import type { Clock, Timer } from '@virgule/core/clock';

/**
 * Delay of a timer that means a suspended process or a blocked event loop, in milliseconds. The socket may then have
 * unread data, which is read before the deadline counts.
 */
export const LATE_MS = 20;

/**
 * Runs `expired` after `forMs` milliseconds. A late timer means that this process was blocked, so `expired` then waits
 * for `graceMs` milliseconds more while the socket is read.
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
