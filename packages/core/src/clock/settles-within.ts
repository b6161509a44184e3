import type { Clock } from './clock.js';

/** Waits for a promise, `ms` milliseconds at most. Returns whether it settled in time. Never rejects. */
export async function settlesWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Clock,
): Promise<boolean> {
  const settled = new AbortController();
  const isInTime = await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    clock.sleep(ms, { signal: settled.signal }).then(
      () => false,
      () => true,
    ),
  ]);
  settled.abort();
  return isInTime;
}
