import type { Clock, Timer } from '@virgule/core/clock';

/** What shows that this process was asleep or busy, in milliseconds. */
export interface Stall {
  /** A timer fires at least this much late. */
  readonly lateMs: number;
  /** Time to read what came in meanwhile. */
  readonly graceMs: number;
}

/**
 * Runs `expired` after `forMs` milliseconds. When our own timer fires too late, the fault may be ours: what the socket
 * has received is read first, for as long as the grace lasts.
 */
export function startDeadline(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
  forMs: number,
  { lateMs, graceMs }: Stall,
  expired: () => void,
): Timer {
  const dueAtMs = clock.monotonic() + forMs;
  let timer = clock.setTimeout(() => {
    if (clock.monotonic() - dueAtMs <= lateMs) expired();
    else timer = clock.setTimeout(expired, graceMs);
  }, forMs);
  return { cancel: () => timer.cancel() };
}
