import { hrtime } from 'node:process';
import { clampDelay, type Clock } from './clock.js';
import { sleepOn } from './sleep-on.js';

/**
 * performance.now() starts at 0 in each process; with this, readings of two processes agree.
 * `performance.timeOrigin` is wall time: it differs by every change of the clock and every sleep
 * of the machine between the starts of two processes.
 */
const startMs = Number(hrtime.bigint()) / 1e6 - performance.now();

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => startMs + performance.now(),
  setTimeout(callback, delayMs) {
    const handle = setTimeout(callback, clampDelay(delayMs));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
  sleep: (delayMs, options) =>
    sleepOn((callback) => {
      const handle = setTimeout(callback, clampDelay(delayMs));
      return () => clearTimeout(handle);
    }, options),
};
