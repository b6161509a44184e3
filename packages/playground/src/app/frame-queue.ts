import { batch } from '@preact/signals';
import type { BrowserPort } from './browser-port.js';

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
  { elapsedMs, nextFrame, setTimer }: Pick<BrowserPort, 'elapsedMs' | 'nextFrame' | 'setTimer'>,
  apply: (events: readonly Event[]) => void,
): (event: Event) => void {
  let waiting: Event[] = [];
  /** `true` until a frame has shown the last change, and during a pause. */
  let isBusy = false;

  function flush(): void {
    const startMs = elapsedMs();
    const events = waiting;
    waiting = [];
    isBusy = events.length > 0;
    if (!isBusy) return;
    batch(() => apply(events));
    let isShown = false;
    const onShown = () => {
      if (isShown) return;
      isShown = true;
      const isSlow = events.length > 1 && elapsedMs() - startMs >= SLOW_FRAME_MS;
      if (isSlow) setTimer(flush, Math.min(events.length, MAX_REST_MS));
      else flush();
    };
    nextFrame(onShown);
    setTimer(onShown, MAX_WAIT_MS);
  }

  return (event) => {
    waiting.push(event);
    if (!isBusy) flush();
  };
}
