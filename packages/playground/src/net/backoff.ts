const MIN_MS = 500;
const MAX_MS = 5_000;

/** Returns the delay before the next connection attempt: half a second, doubling up to five seconds. */
export function reconnectDelayMs(failures: number): number {
  return Math.min(MAX_MS, MIN_MS * 2 ** Math.min(failures, 10));
}
