import { onAbort } from '../abort/on-abort.js';
import type { SleepOptions } from './clock.js';

/**
 * Sleeps until a timer fires, or rejects with the reason of the signal.
 *
 * @param start - starts the timer, and returns a function that stops it.
 */
export function sleepOn(
  start: (callback: () => void) => () => void,
  { signal }: SleepOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let detach = (): void => {};
    const stop = start(() => {
      detach();
      resolve();
    });
    if (!signal) return;
    detach = onAbort(signal, (reason) => {
      stop();
      reject(reason);
    });
  });
}
