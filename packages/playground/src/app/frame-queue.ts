import { batch } from '@preact/signals';

export interface FrameQueueWorld {
  /** Calls back before the next frame is drawn; never while the page is hidden. */
  readonly nextFrame: (callback: () => void) => void;
  readonly setTimer: (callback: () => void, delayMs: number) => number;
}

/** How long events wait at most, in milliseconds: a hidden page draws nothing. */
const MAX_WAIT_MS = 100;

/** Collects events, and applies all that came since the last frame as one change: the page is drawn once for them. */
export function createFrameQueue<Event>(
  { nextFrame, setTimer }: FrameQueueWorld,
  apply: (event: Event) => void,
): (event: Event) => void {
  let waiting: Event[] = [];
  const flush = () => {
    const events = waiting;
    waiting = [];
    batch(() => {
      for (const event of events) apply(event);
    });
  };
  return (event) => {
    waiting.push(event);
    if (waiting.length > 1) return;
    nextFrame(flush);
    setTimer(flush, MAX_WAIT_MS);
  };
}
