import type { Clock, Timer } from './clock.js';

/** Deadlines of commands and requests, which are rarely reached. */
export type Deadlines = ReturnType<typeof createDeadlines>;

/** Handle to cancel a deadline. */
export interface Deadline {
  /** Time of the next check, a reading of `Clock.monotonic()`. */
  atMs: number;
  /** Time from the next check to the deadline, in milliseconds; 0 if `atMs` is the deadline. */
  aheadMs: number;
  readonly fire: () => void;
  /** Orders deadlines of the same time. */
  readonly order: number;
  /** Index in the heap; -1 after the removal. */
  place: number;
}

/** Delay of a timer, in milliseconds, above which the event loop was blocked. */
const LAG_MS = 50;

/**
 * Creates a set of deadlines that share one timer: a timer per command costs 7 % of the command rate. The entries of
 * the binary heap know their index, so that each can be removed when its command ends.
 */
export function createDeadlines(clock: Pick<Clock, 'monotonic' | 'setTimeout'>) {
  const heap: Deadline[] = [];
  let count = 0;
  let timer: Timer | null = null;
  let timerAtMs = Infinity;
  /** Time at which the timer fires if the event loop is free. */
  let expectedMs = Infinity;

  const isBefore = (a: Deadline, b: Deadline): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  /** Inserts an entry at a free place of the heap, and moves it up or down to its position. */
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
    // Timers may fire a fraction early, so a deadline within the next millisecond is due.
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
     * Calls `fire` at `atMs`, a reading of `Clock.monotonic()`. With `aheadMs`, the event loop is checked `aheadMs`
     * milliseconds earlier: if this check is late, `fire` is called at once, because the deadline could be missed too.
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
    /** Cancels all deadlines. */
    clear(): void {
      for (const entry of heap.splice(0)) entry.place = -1;
      timer?.cancel();
      timer = null;
      timerAtMs = Infinity;
    },
  };
}
