import { clampDelay, type Clock } from './clock.js';
import { clearTimeout, setTimeout, sinceStartMs, wallMs } from './real-time.js';
import { sleepOn } from './sleep-on.js';

/**
 * Offset of performance.now(), which starts at 0 in each process. `performance.timeOrigin` is wall time: it differs after
 * each change of the clock and each sleep of the machine. The largest of three readings: an interruption between the two
 * clocks makes one smaller.
 */
const startMs = Math.max(
  ...Array.from({ length: 3 }, () => Number(process.hrtime.bigint()) / 1e6 - sinceStartMs()),
);

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => wallMs(),
  monotonic: () => startMs + sinceStartMs(),
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
