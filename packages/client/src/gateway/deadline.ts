import type { Clock, Timer } from '@virgule/core/clock';

/** When a timer fires this much late, this process was asleep or busy, and the response may be unread. */
const STALLED_MS = 2_000;

/** Time to read what came in meanwhile, in milliseconds. */
const STALL_GRACE_MS = 1_000;

/**
 * Runs `expired` after `forMs` milliseconds. When our own timer fires more than 2 s late, the fault
 * may be ours: what the socket has received is read first, and a second later it is judged.
 */
export function startDeadline(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
  forMs: number,
  expired: () => void,
): Timer {
  const dueAtMs = clock.monotonic() + forMs;
  let timer = clock.setTimeout(() => {
    if (clock.monotonic() - dueAtMs <= STALLED_MS) expired();
    else timer = clock.setTimeout(expired, STALL_GRACE_MS);
  }, forMs);
  return { cancel: () => timer.cancel() };
}
