import { clampDelay, type Clock, type TimerOptions } from './clock.js';
import { turn } from './real-time.js';
import { sleepOn } from './sleep-on.js';

/** Options of `createFakeClock`. */
export interface FakeClockOptions {
  /** Wall-clock time at the start, in milliseconds since the epoch. @defaultValue 2026-01-01T00:00:00Z */
  readonly nowMs?: number;
}

interface StallOptions {
  /**
   * Fires the due timers before `stall` returns, as Node.js does after a suspension before it reads input.
   * @defaultValue false: these timers fire at the next `advance`
   */
  readonly fireTimers?: boolean;
}

export interface AdvanceOptions {
  /** Fires routine timers only in the last minute before another timer and before the end. @defaultValue false */
  readonly skipRoutine?: boolean;
  /** Function that is called at the start and after each timer; the clock stops until its promise resolves. */
  readonly settled?: (() => Promise<void>) | undefined;
}

/** A clock that only `advance` and `stall` move. */
export interface FakeClock extends Clock {
  /** Advances time by `ms` milliseconds, fires due timers in order, and turns the event loop around each. */
  advance(ms: number, options?: AdvanceOptions): Promise<void>;
  /** Advances time by `ms` milliseconds as a blocked event loop does: synchronously. */
  stall(ms: number, options?: StallOptions): void;
  /** Sets the wall clock forward, or back when negative. `monotonic` and timers do not change. */
  shiftWallClock(byMs: number): void;
  /** Number of pending timers and sleeps. */
  readonly pending: number;
  /** Time since the clock was created, in milliseconds. */
  readonly elapsedMs: number;
}

interface Entry {
  readonly atMs: number;
  readonly fire: () => void;
  readonly isRoutine: boolean;
}

const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);
/** Time before another timer in which routine timers still fire, in milliseconds: connections need heartbeats. */
const ROUTINE_MS = 60_000;

/**
 * Creates a clock for tests.
 *
 * @example
 * ```ts
 * const clock = createFakeClock();
 * const slept = clock.sleep(30_000);
 * await clock.advance(30_000);
 * await slept;
 * ```
 */
export function createFakeClock({ nowMs = DEFAULT_NOW_MS }: FakeClockOptions = {}): FakeClock {
  let elapsedMs = 0;
  let wallShiftMs = 0;
  const entries = new Set<Entry>();

  function add(fire: () => void, delayMs: number, { isRoutine = false }: TimerOptions = {}) {
    const entry = { atMs: elapsedMs + clampDelay(delayMs), fire, isRoutine };
    entries.add(entry);
    return () => entries.delete(entry);
  }

  function earliest(untilMs: number, withRoutine = true): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of entries) {
      if (entry.isRoutine && !withRoutine) continue;
      if (entry.atMs <= untilMs && (!found || entry.atMs < found.atMs)) found = entry;
    }
    return found;
  }

  return {
    // A wall clock has whole milliseconds.
    now: () => Math.floor(nowMs + elapsedMs + wallShiftMs),
    monotonic: () => nowMs + elapsedMs,
    setTimeout: (callback, delayMs, options) => ({ cancel: add(callback, delayMs, options) }),
    sleep: (delayMs, options) => sleepOn((callback) => add(callback, delayMs, options), options),
    async advance(ms, { skipRoutine = false, settled } = {}) {
      const untilMs = elapsedMs + ms;
      const next = async (): Promise<Entry | undefined> => {
        await turn();
        await settled?.();
        if (skipRoutine) {
          const stopMs = earliest(untilMs, false)?.atMs ?? untilMs;
          elapsedMs = Math.max(elapsedMs, stopMs - ROUTINE_MS);
        }
        return earliest(untilMs);
      };
      for (let entry = await next(); entry; entry = await next()) {
        elapsedMs = Math.max(elapsedMs, entry.atMs);
        entries.delete(entry);
        entry.fire();
      }
      // A concurrent call may have advanced the clock further.
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    stall(ms, { fireTimers = false } = {}) {
      elapsedMs += Math.max(ms, 0);
      if (!fireTimers) return;
      const due = [...entries].filter(({ atMs }) => atMs <= elapsedMs);
      for (const entry of due.toSorted((a, b) => a.atMs - b.atMs)) {
        // A timer that fired before this one may have canceled it.
        if (entries.delete(entry)) entry.fire();
      }
    },
    shiftWallClock: (byMs) => void (wallShiftMs += byMs),
    get pending() {
      return entries.size;
    },
    get elapsedMs() {
      return elapsedMs;
    },
  };
}

/** Returns whether a clock is a fake clock, which `advance` moves. */
export const isFakeClock = (clock: Clock): clock is FakeClock => 'advance' in clock;
