import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '@virgule/core/clock';

/** Length of a window in milliseconds. Measurements are kept for one to two windows. */
const WINDOW_MS = 10_000;
/** Interval of samples, in milliseconds. */
const RESOLUTION_MS = 20;

/** Measures the lag of the event loop, until `close`. */
export function watchLoopLag(clock: Clock) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let previousMs = 0;
  let timer = clock.setTimeout(turn, WINDOW_MS);
  // The histogram measures the time between two samples, in nanoseconds.
  const currentMs = (): number => Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);

  function turn(): void {
    previousMs = currentMs();
    histogram.reset();
    timer = clock.setTimeout(turn, WINDOW_MS);
  }

  return {
    /** Returns the longest lag of the last 10 to 20 seconds, in milliseconds. */
    read: (): number => Math.max(previousMs, currentMs()),
    close(): void {
      timer.cancel();
      histogram.disable();
    },
  };
}
