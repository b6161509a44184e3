import { clampDelay, type Clock } from './clock.js';

/** performance.now() alone starts at 0 in each process; with the origin, readings of two processes agree. */
const { timeOrigin } = performance;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => timeOrigin + performance.now(),
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
