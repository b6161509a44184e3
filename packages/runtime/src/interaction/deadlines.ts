import type { Clock, Timer } from '@virgule/core/clock';

/** Deadlines that are set for every command and hardly ever reached. */
export interface Deadlines {
  /** Calls `fire` at `atMs`, a reading of `Clock.monotonic()`. Returns what takes the deadline back. */
  add(atMs: number, fire: () => void): () => void;
}

interface Entry {
  readonly atMs: number;
  /** `null` once it fired or was taken back. */
  fire: (() => void) | null;
}

/** Below this many, entries that were taken back are not worth a sweep. */
const SWEEP_MIN = 64;

/**
 * One timer for all deadlines, kept in order. A timer per command costs 7 % of the command rate. A
 * deadline that is taken back stays until it is first in line or until most entries are like it:
 * otherwise one command that runs for minutes would keep the deadlines of all later ones.
 */
export function createDeadlines(clock: Clock): Deadlines {
  let queue: Entry[] = [];
  let takenBack = 0;
  let timer: Timer | null = null;
  let timerAtMs = Infinity;

  function arm(): void {
    while (queue[0]?.fire === null) {
      queue.shift();
      takenBack -= 1;
    }
    const first = queue[0];
    if (!first || first.atMs >= timerAtMs) return;
    timer?.cancel();
    timerAtMs = first.atMs;
    timer = clock.setTimeout(onTimer, first.atMs - clock.monotonic());
  }

  function onTimer(): void {
    timer = null;
    timerAtMs = Infinity;
    // Timers may fire a fraction early; what is due within the next millisecond is due.
    const untilMs = clock.monotonic() + 1;
    for (
      let first = queue[0];
      first && (first.fire === null || first.atMs <= untilMs);
      first = queue[0]
    ) {
      queue.shift();
      const { fire } = first;
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

  function takeBack(entry: Entry): void {
    if (entry.fire === null) return;
    entry.fire = null;
    takenBack += 1;
    if (takenBack < SWEEP_MIN || takenBack * 2 < queue.length) return;
    queue = queue.filter(({ fire }) => fire !== null);
    takenBack = 0;
  }

  return {
    add(atMs, fire) {
      const entry: Entry = { atMs, fire };
      queue.splice(placeOf(atMs), 0, entry);
      arm();
      return () => takeBack(entry);
    },
  };
}
