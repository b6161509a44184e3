const FIRST_MS = 500;
const LAST_MS = 5_000;

/** How long to wait before the next try to connect: half a second, doubling up to five seconds. */
export function reconnectDelayMs(failures: number): number {
  return Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}
