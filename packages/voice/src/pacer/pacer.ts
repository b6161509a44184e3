import type { Clock, Timer } from '@virgule/core/clock';

/** Duration of a frame in milliseconds. */
export const FRAME_MS = 20;

/** One schedule of 20 ms for all streams. */
export interface Pacer {
  /**
   * Calls `onFrames` with the number of frames that are due since the last call: 1, or more after the event loop was
   * blocked.
   *
   * @returns a function that ends the calls.
   */
  add(onFrames: (count: number) => void): () => void;
}

/** Creates a schedule. Its times are absolute, so that delays of timers do not add up. */
export function createPacer(clock: Clock): Pacer {
  const streams = new Set<{ readonly onFrames: (count: number) => void }>();
  let lastMs = 0;
  let timer: Timer | undefined;

  function schedule(): void {
    timer = clock.setTimeout(tick, lastMs + FRAME_MS - clock.monotonic());
  }

  function tick(): void {
    const count = Math.floor((clock.monotonic() - lastMs) / FRAME_MS);
    lastMs += count * FRAME_MS;
    schedule();
    // A timer may fire up to a millisecond early.
    if (count === 0) return;
    for (const { onFrames } of streams) onFrames(count);
  }

  return {
    add(onFrames) {
      const stream = { onFrames };
      if (streams.size === 0) {
        lastMs = clock.monotonic();
        schedule();
      }
      streams.add(stream);
      return () => {
        if (streams.delete(stream) && streams.size === 0) timer?.cancel();
      };
    },
  };
}
