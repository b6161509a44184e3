import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Distance to the end within which the log follows new messages, in pixels. */
const END_PX = 48;
/** Distance to the start and to the end within which more messages are loaded, in pixels. */
const NEAR_PX = 240;

export interface LogScrollOptions {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  /** `true` if the last row is one of the user: the log then scrolls to the row. */
  readonly isLastOwn: boolean;
  /** `true` if the log lacks newer messages: its end is then not the end of the channel. */
  readonly hasNewer: boolean;
  readonly onNearStart: () => void;
  readonly onNearEnd: () => void;
}

/** The state of the log after the last update or scroll event. */
interface Position {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly height: number;
  /** The first row on the screen, and its distance from the top of the log. */
  readonly row: { readonly key: string; readonly offset: number } | null;
}

function firstVisibleRow(log: HTMLElement): Position['row'] {
  const top = log.scrollTop;
  const items = log.firstElementChild?.children;
  if (items === undefined) return null;
  // Bisection, because each message that arrives needs this row.
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = items[middle];
    if (item instanceof HTMLElement && item.offsetTop + item.offsetHeight > top) to = middle;
    else from = middle + 1;
  }
  for (let at = from; at < items.length; at += 1) {
    const item = items[at];
    const key = item instanceof HTMLElement ? item.dataset['row'] : undefined;
    if (item instanceof HTMLElement && key !== undefined)
      return { key, offset: item.offsetTop - top };
  }
  return null;
}

const toEndPx = (log: HTMLElement): number => log.scrollHeight - log.scrollTop - log.clientHeight;

/** Keeps a log that is scrolled to its end at the end, and otherwise at its position. */
export function useLogScroll(options: LogScrollOptions) {
  const { firstKey, lastKey, isLastOwn, hasNewer, onNearStart, onNearEnd } = options;
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  /** `true` if rows were added below while the log was scrolled up. */
  const hasNewBelow = useSignal(false);
  const before = useRef<Position>({ firstKey, lastKey, height: 0, row: null });

  const remember = (log: HTMLElement) => {
    const row = firstVisibleRow(log);
    before.current = { firstKey, lastKey, height: log.scrollHeight, row };
  };

  const toEnd = () => {
    const log = ref.current;
    if (log === null) return;
    log.scrollTop = log.scrollHeight;
    isAtEnd.value = true;
    hasNewBelow.value = false;
  };

  const loadMore = (log: HTMLElement) => {
    if (log.scrollTop < NEAR_PX) onNearStart();
    if (toEndPx(log) < NEAR_PX) onNearEnd();
  };

  useLayoutEffect(() => {
    const log = ref.current;
    if (log === null) return;
    const last = before.current;
    const hasNewLast = last.lastKey !== lastKey;
    const isSame = !hasNewLast && last.firstKey === firstKey && last.height === log.scrollHeight;
    // A hovered row is rendered before the scroll event that moved the row below the pointer.
    if (isSame) return;
    const knownHeight = Math.min(last.height, log.scrollHeight);
    const hasScrolledUp = knownHeight - log.scrollTop - log.clientHeight >= END_PX;
    if ((isAtEnd.peek() && !hasScrolledUp) || (hasNewLast && isLastOwn && !hasNewer)) {
      toEnd();
    } else if (last.firstKey !== firstKey) {
      const row = [...log.querySelectorAll<HTMLElement>('[data-row]')].find(
        (item) => item.dataset['row'] === last.row?.key,
      );
      // Without its row, the log has other messages, and shows their end.
      if (row === undefined || last.row === null) toEnd();
      else log.scrollTop = row.offsetTop - last.row.offset;
      loadMore(log);
    } else if (hasNewLast) {
      hasNewBelow.value = !hasNewer;
    }
    remember(log);
  });

  useLayoutEffect(() => {
    const log = ref.current;
    if (log === null) return undefined;
    // The height of the log changes with the height of the composer, and its content with the width of images.
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
    onScroll: () => {
      const log = ref.current;
      if (log === null) return;
      isAtEnd.value = !hasNewer && toEndPx(log) < END_PX;
      if (isAtEnd.peek()) hasNewBelow.value = false;
      remember(log);
      loadMore(log);
    },
  };
}
