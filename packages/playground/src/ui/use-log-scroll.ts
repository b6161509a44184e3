import { useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Distance to the end within which the log follows new messages, in pixels. */
const END_PX = 48;
/** Distance to the start within which older messages are loaded, in pixels. */
const START_PX = 240;

export interface LogScrollOptions {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  /** Whether the last row is one of the user: the log then scrolls to it. */
  readonly isLastOwn: boolean;
  readonly onNearStart: () => void;
}

export interface LogScroll {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: Signal<boolean>;
  /** Whether rows were added below while the log was scrolled up. */
  readonly hasNewBelow: Signal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** Keeps a log at its end if it is scrolled there, and otherwise at its position. */
export function useLogScroll(options: LogScrollOptions): LogScroll {
  const { firstKey, lastKey, isLastOwn, onNearStart } = options;
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const hasNewBelow = useSignal(false);
  const before = useRef({ firstKey, lastKey, height: 0 });

  const toEnd = () => {
    const log = ref.current;
    if (log === null) return;
    log.scrollTop = log.scrollHeight;
    isAtEnd.value = true;
    hasNewBelow.value = false;
  };

  useLayoutEffect(() => {
    const log = ref.current;
    if (log === null) return;
    const last = before.current;
    const hasNewLast = last.lastKey !== lastKey;
    if (isAtEnd.peek() || (hasNewLast && isLastOwn)) toEnd();
    else if (last.firstKey !== firstKey) log.scrollTop += log.scrollHeight - last.height;
    else if (hasNewLast) hasNewBelow.value = true;
    before.current = { firstKey, lastKey, height: log.scrollHeight };
  });

  useLayoutEffect(() => {
    const log = ref.current;
    if (log === null) return undefined;
    // The height of the log changes with that of the composer, and its content with the width of images.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.peek()) log.scrollTop = log.scrollHeight;
    });
    observer.observe(log);
    if (log.firstElementChild !== null) observer.observe(log.firstElementChild);
    return () => observer.disconnect();
  }, []);

  return {
    ref,
    isAtEnd,
    hasNewBelow,
    toEnd,
    onScroll() {
      const log = ref.current;
      if (log === null) return;
      isAtEnd.value = log.scrollHeight - log.scrollTop - log.clientHeight < END_PX;
      if (isAtEnd.peek()) hasNewBelow.value = false;
      if (log.scrollTop < START_PX) onNearStart();
    },
  };
}
