import type { Clock } from './clock.js';

/** Waits for a promise, `ms` milliseconds at most. Returns whether it settled in time. Never rejects. */
export async function settlesWithin(promise: Promise<unknown>, ms: number, clock: Clock) {
  const settled = new AbortController();
  let isInTime = true;
  const late = clock.sleep(ms, { signal: settled.signal }).then(() => (isInTime = false));
  await Promise.race([promise, late]).catch(() => {});
  settled.abort();
  return isInTime;
}
