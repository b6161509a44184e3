import type { Clock, Timer } from './clock.js';

/** Deadlines that are set for every command and request, and rarely reached. */
export type Deadlines = ReturnType<typeof createDeadlines>;

/** One deadline, to cancel it by. */
export interface Deadline {
  /** When it is checked next. */
  atMs: number;
  /** How much later it is due; 0 when it is due at `atMs`. */
  aheadMs: number;
  readonly fire: () => void;
  /** Orders deadlines of the same time. */
  readonly order: number;
  /** Its place in the heap; -1 once it is not there. */
  place: number;
}

/** A timer that is later than this is late because the event loop was blocked, in milliseconds. */
const LAG_MS = 50;

/**
 * Creates one timer for all deadlines: a timer per command costs 7 % of the command rate. A binary heap
 * whose entries know their place, so that each can be removed when its command is over.
 */
export function createDeadlines(clock: Pick<Clock, 'monotonic' | 'setTimeout'>) {
  const heap: Deadline[] = [];
  let count = 0;
  let timer: Timer | null = null;
  let timerAtMs = Infinity;
  /** When the timer fires if the event loop is free. */
  let expectedMs = Infinity;

  const isBefore = (a: Deadline, b: Deadline): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  /** Moves an entry up or down to where it belongs, beginning at a place that is free. */
  function settle(entry: Deadline, from: number): void {
    let place = from;
    for (;;) {
      const parent = heap[(place - 1) >> 1];
      if (place === 0 || !parent || !isBefore(entry, parent)) break;
      heap[place] = parent;
      parent.place = place;
      place = (place - 1) >> 1;
    }
    for (;;) {
      let below = 2 * place + 1;
      let child = heap[below];
      const right = heap[below + 1];
      if (child && right && isBefore(right, child)) {
        child = right;
        below += 1;
      }
      if (!child || !isBefore(child, entry)) break;
      heap[place] = child;
      child.place = place;
      place = below;
    }
    heap[place] = entry;
    entry.place = place;
  }

  function remove(entry: Deadline): void {
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = heap.pop();
    if (last && last !== entry) settle(last, place);
  }

  function arm(): void {
    const [first] = heap;
    if (!first || first.atMs >= timerAtMs) return;
    timer?.cancel();
    timerAtMs = first.atMs;
    const nowMs = clock.monotonic();
    expectedMs = Math.max(timerAtMs, nowMs);
    timer = clock.setTimeout(onTimer, timerAtMs - nowMs);
  }

  function onTimer(): void {
    timer = null;
    timerAtMs = Infinity;
    const nowMs = clock.monotonic();
    const isLagging = nowMs - expectedMs > LAG_MS;
    // Timers may fire a fraction early; what is due within the next millisecond is due.
    const untilMs = nowMs + 1;
    for (let [first] = heap; first && first.atMs <= untilMs; [first] = heap) {
      remove(first);
      if (first.aheadMs > 0 && !isLagging) {
        first.atMs += first.aheadMs;
        first.aheadMs = 0;
        settle(first, heap.length);
      } else first.fire();
    }
    arm();
  }

  return {
    /**
     * Calls `fire` at `atMs`, a reading of `Clock.monotonic()`. With `aheadMs` it checks the event loop
     * that much earlier: if this check is late, the next one may be too late, and `fire` is called at once.
     *
     * @defaultValue 0 for `aheadMs`
     */
    add(atMs: number, fire: () => void, aheadMs = 0): Deadline {
      count += 1;
      const entry = { atMs: atMs - aheadMs, aheadMs, fire, order: count, place: -1 };
      settle(entry, heap.length);
      arm();
      return entry;
    },
    /** Cancels a deadline. Has no effect if it has fired or was canceled. */
    cancel: remove,
    /** Cancels all that are left. */
    clear(): void {
      for (const entry of heap.splice(0)) entry.place = -1;
      timer?.cancel();
      timer = null;
      timerAtMs = Infinity;
    },
  };
}
