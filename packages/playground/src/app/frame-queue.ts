import { batch } from '@preact/signals';

export interface FrameQueueWorld {
  /** Returns a time in milliseconds. */
  readonly now: () => number;
  /** Calls back before the next frame is drawn; never while the page is hidden. */
  readonly nextFrame: (callback: () => void) => void;
  readonly setTimer: (callback: () => void, delayMs: number) => unknown;
}

/** Maximum delay of an event, in milliseconds: a hidden page draws no frames. */
const MAX_WAIT_MS = 100;
/** Duration of a frame in milliseconds, above which a pause of one millisecond per shown event follows. */
const SLOW_FRAME_MS = 32;
const MAX_REST_MS = 200;

/**
 * Applies an event at once, and the events that follow before the next frame as one change with that frame: a single
 * event waits for no frame, and the page is drawn once for many events. In a flood of events, the page is drawn a few
 * times a second, which leaves the rest of the time to receiving and typing.
 */
export function createFrameQueue<Event>(
  { now, nextFrame, setTimer }: FrameQueueWorld,
  apply: (events: readonly Event[]) => void,
): (event: Event) => void {
  let waiting: Event[] = [];
  /** Number of flushes; a callback with an earlier number is outdated. */
  let turn = 0;
  let restUntilMs = 0;
  /** `true` if a change was applied and no frame has shown the change yet. */
  let isFrameDue = false;

  function flush(own: number): void {
    if (own !== turn) return;
    const startMs = now();
    if (startMs < restUntilMs) {
      setTimer(() => flush(own), restUntilMs - startMs);
      return;
    }
    turn += 1;
    const events = waiting;
    waiting = [];
    batch(() => apply(events));
    isFrameDue = true;
    nextFrame(() => {
      isFrameDue = false;
      const tookMs = now() - startMs;
      restUntilMs = tookMs < SLOW_FRAME_MS ? 0 : now() + Math.min(events.length, MAX_REST_MS);
    });
  }

  return (event) => {
    waiting.push(event);
    if (waiting.length > 1) return;
    const own = turn;
    if (!isFrameDue) {
      flush(own);
      return;
    }
    nextFrame(() => flush(own));
    setTimer(() => flush(own), MAX_WAIT_MS);
  };
}
