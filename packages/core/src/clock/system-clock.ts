import { hrtime } from 'node:process';
import { clampDelay, type Clock } from './clock.js';

/**
 * performance.now() starts at 0 in each process; with this, the readings of parent and child agree. Not
 * `performance.timeOrigin`, which is by the clock on the wall: two processes would differ by each time
 * that it was set, and that the machine slept, between their starts.
 */
const startMs = Number(hrtime.bigint()) / 1e6 - performance.now();

/** The real clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => startMs + performance.now(),
  setTimeout(callback, delayMs) {
    const handle = setTimeout(callback, clampDelay(delayMs));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
  sleep(delayMs, { signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(handle);
        reject(signal?.reason);
      };
      const handle = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, clampDelay(delayMs));
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};
