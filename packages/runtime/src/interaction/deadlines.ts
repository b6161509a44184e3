import type { Clock, Timer } from '@virgule/core/clock';

/** Deadlines that are set for every command and hardly ever reached. */
export interface Deadlines {
  /**
   * Calls `fire` at `atMs`, a reading of `Clock.monotonic()`. With `aheadMs` it looks at the event loop
   * so much sooner: when that look is late, the next turn may be too late, and `fire` is called at once.
   *
   * @defaultValue 0 for `aheadMs`
   */
  add(atMs: number, fire: () => void, aheadMs?: number): Deadline;
  /** Does nothing when it was called or taken back already. */
  takeBack(deadline: Deadline): void;
}

/** Data of one deadline, for `takeBack`. */
export interface Deadline {
  /** When it is to be looked at next. */
  atMs: number;
  /** How much later it is due; 0 when it is due at `atMs`. */
  aheadMs: number;
  /** `null` once it fired or was taken back. */
  fire: (() => void) | null;
}

/** Below this many, entries that were taken back are not worth a sweep. */
const SWEEP_MIN = 64;

/** From here on a timer is late because the event loop is busy, in milliseconds. */
const LAG_MS = 50;

/**
 * One timer for all deadlines, kept in order. A timer per command costs 7 % of the command rate. A
 * deadline that is taken back stays until it is first in line or until most entries are like it:
 * otherwise one command that runs for minutes would keep the deadlines of all later ones.
 */
export function createDeadlines(clock: Clock): Deadlines {
  let queue: Deadline[] = [];
  let takenBack = 0;
  let timer: Timer | null = null;
  let timerAtMs = Infinity;
  /** When the timer fires if the event loop is free. */
  let expectedMs = Infinity;

  function arm(): void {
    while (queue[0]?.fire === null) {
      queue.shift();
      takenBack -= 1;
    }
    const first = queue[0];
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
    for (
      let first = queue[0];
      first && (first.fire === null || first.atMs <= untilMs);
      first = queue[0]
    ) {
      queue.shift();
      const { fire, aheadMs } = first;
      if (fire && aheadMs > 0 && !isLagging) {
        first.atMs += aheadMs;
        first.aheadMs = 0;
        insert(first);
        continue;
      }
      first.fire = null;
      if (fire) fire();
      else takenBack -= 1;
    }
    arm();
  }

  /** Where a deadline belongs: behind those that are due at the same time or before. */
  function placeOf(atMs: number): number {
    let from = 0;
    let to = queue.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((queue[middle]?.atMs ?? Infinity) <= atMs) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  function insert(entry: Deadline): void {
    queue.splice(placeOf(entry.atMs), 0, entry);
  }

  return {
    add(atMs, fire, aheadMs = 0) {
      const entry: Deadline = { atMs: atMs - aheadMs, aheadMs, fire };
      insert(entry);
      arm();
      return entry;
    },
    takeBack(deadline) {
      if (deadline.fire === null) return;
      deadline.fire = null;
      takenBack += 1;
      if (takenBack < SWEEP_MIN || takenBack * 2 < queue.length) return;
      queue = queue.filter(({ fire }) => fire !== null);
      takenBack = 0;
    },
  };
}
