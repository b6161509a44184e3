import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Distance to the end within which the log follows new messages, in pixels. */
const END_PX = 48;
/** Distance to the start within which older messages are loaded, in pixels. */
const NEAR_PX = 240;

export interface LogScrollOptions {
  readonly firstKey: string | undefined;
  readonly lastKey: string | undefined;
  /** `true` if the last row is one of the user: the log then scrolls to the row. */
  readonly isLastOwn: boolean;
  readonly onNearStart: () => void;
  /** Called when the log is scrolled to its end. */
  readonly onEnd: () => void;
}

/** Returns the bottom edge of a row on the screen, in pixels. */
const bottomOf = (log: HTMLElement, key = ''): number | undefined =>
  log.querySelector(`[data-row="${key}"]`)?.getBoundingClientRect().bottom;

/**
 * Keeps a log that is scrolled to its end at the end, and otherwise at its position. Browsers measure the position of a
 * `column-reverse` log from its end, so only rows that are added at the end need this code.
 */
export function useLogScroll(options: LogScrollOptions) {
  const { firstKey, lastKey, isLastOwn, onNearStart, onEnd } = options;
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  /** `true` if rows were added below while the log was scrolled up. */
  const hasNewBelow = useSignal(false);
  const lastBefore = useRef(lastKey);

  const toEnd = () => ref.current?.scrollTo(0, 0);

  const onScroll = () => {
    const log = ref.current;
    if (log === null) return;
    const toEndPx = -log.scrollTop;
    isAtEnd.value = toEndPx < END_PX;
    if (isAtEnd.peek()) {
      hasNewBelow.value = false;
      onEnd();
    }
    if (log.scrollHeight - log.clientHeight - toEndPx < NEAR_PX) onNearStart();
  };

  useLayoutEffect(() => {
    const log = ref.current;
    if (log === null) return;
    const [before, now] = [bottomOf(log, lastBefore.current), bottomOf(log, lastKey)];
    const hasNewLast = lastBefore.current !== lastKey;
    lastBefore.current = lastKey;
    if (hasNewLast && (isAtEnd.peek() || isLastOwn)) toEnd();
    else if (hasNewLast && before !== undefined && now !== undefined) {
      log.scrollTop -= now - before;
      hasNewBelow.value = true;
    }
    onScroll();
  }, [firstKey, lastKey]);

  return { ref, isAtEnd, hasNewBelow, toEnd, onScroll };
}
