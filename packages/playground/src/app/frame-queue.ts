import { batch } from '@preact/signals';

export interface FrameQueueWorld {
  /** In milliseconds. */
  readonly now: () => number;
  /** Calls back before the next frame is drawn; never while the page is hidden. */
  readonly nextFrame: (callback: () => void) => void;
  readonly setTimer: (callback: () => void, delayMs: number) => unknown;
}

/** How long events wait at most, in milliseconds: a hidden page draws nothing. */
const MAX_WAIT_MS = 100;
/** A frame that takes longer is followed by a rest of one millisecond per event that it showed. */
const SLOW_FRAME_MS = 32;
const MAX_REST_MS = 200;

/**
 * Applies an event at once, and those that follow it before the next frame as one change with that frame: a single
 * event waits for no frame, and the page is drawn once for many. In a flood of events it is drawn a few times a second,
 * which leaves the rest of the time to receiving and typing.
 */
export function createFrameQueue<Event>(
  { now, nextFrame, setTimer }: FrameQueueWorld,
  apply: (events: readonly Event[]) => void,
): (event: Event) => void {
  let waiting: Event[] = [];
  /** A callback of an earlier turn is late. */
  let turn = 0;
  let restUntilMs = 0;
  /** Whether something was applied that no frame has shown yet. */
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
