import { Roster, type Member } from '../collections/roster.js';
import type { Clock, Timer } from './clock.js';

/** Deadlines of commands and requests, which are rarely reached. */
export type Deadlines = ReturnType<typeof createDeadlines>;

/** Handle to cancel a deadline. */
export interface Deadline extends Member {
  /** Time of the next check, a reading of `Clock.monotonic()`. */
  atMs: number;
  /** Time from the next check to the deadline, in milliseconds; 0 if `atMs` is the deadline. */
  aheadMs: number;
  readonly fire: () => void;
  /** Orders deadlines of the same time. */
  readonly order: number;
}

/** Delay of a timer, in milliseconds, above which the event loop was blocked. */
const LAG_MS = 50;

/**
 * Creates deadlines that share one timer: a timer per command costs 7 % of the command rate. Nearly all are canceled, so
 * only the timer searches them.
 */
export function createDeadlines(clock: Pick<Clock, 'monotonic' | 'setTimeout'>) {
  const entries = new Roster<Deadline>();
  let count = 0;
  let timer: Timer | undefined;
  let timerAtMs = Infinity;
  /** Time at which the timer fires if the event loop is free. */
  let expectedMs = Infinity;

  function cancel(entry: Deadline): void {
    if (entry.place >= 0) entries.delete(entry);
    entry.place = -1;
  }

  function arm(atMs: number): void {
    if (atMs >= timerAtMs) return;
    timer?.cancel();
    timerAtMs = atMs;
    const nowMs = clock.monotonic();
    expectedMs = Math.max(atMs, nowMs);
    timer = clock.setTimeout(onTimer, atMs - nowMs);
  }

  function onTimer(): void {
    timerAtMs = Infinity;
    const nowMs = clock.monotonic();
    const isLagging = nowMs - expectedMs > LAG_MS;
    // Timers may fire a fraction early, so a deadline within the next millisecond is due.
    const due = entries.all().filter(({ atMs }) => atMs <= nowMs + 1);
    for (const entry of due.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)) {
      // A deadline that fired before may have canceled this one.
      if (entry.place < 0) continue;
      if (entry.aheadMs > 0 && !isLagging) {
        entry.atMs += entry.aheadMs;
        entry.aheadMs = 0;
      } else {
        cancel(entry);
        entry.fire();
      }
    }
    let nextMs = Infinity;
    for (const { atMs } of entries.all()) nextMs = Math.min(nextMs, atMs);
    arm(nextMs);
  }

  return {
    clock,
    /**
     * Calls `fire` at `atMs`, a reading of `Clock.monotonic()`. The event loop is checked `aheadMs` milliseconds earlier,
     * 0 by default: if this check is late, `fire` is called at once, because the deadline could be missed too.
     */
    add(atMs: number, fire: () => void, aheadMs = 0): Deadline {
      count += 1;
      const entry = { atMs: atMs - aheadMs, aheadMs, fire, order: count, place: -1 };
      entries.add(entry);
      arm(entry.atMs);
      return entry;
    },
    /** Cancels a deadline. Has no effect if it has fired or was canceled. */
    cancel,
    /** Cancels all deadlines. */
    clear(): void {
      for (const entry of entries.all()) cancel(entry);
      timer?.cancel();
      timerAtMs = Infinity;
    },
  };
}
