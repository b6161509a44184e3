import { onAbort } from '../abort/on-abort.js';
import type { SleepOptions } from './clock.js';

/** Sleeps until the timer of `start`, which returns a function to stop it, or the abort of the signal. */
export function sleepOn(
  start: (callback: () => void) => () => void,
  { signal }: SleepOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let detach = (): void => {};
    const stop = start(() => {
      detach();
      resolve();
    });
    if (!signal) return;
    // Calls back at once if the signal is aborted.
    detach = onAbort(signal, (reason) => {
      stop();
      reject(reason);
    });
  });
}
