import { createFakeClock, type Clock } from '@virgule/core/clock';
import { vi } from 'vitest';

/** A clock that stands still until it is pushed, and that can do what clocks do on bad days. */
export interface TestClock extends Clock {
  /** Moves time on by `ms`, firing timers on the way; the event loop turns after each of them. */
  advance(ms: number): Promise<void>;
  /**
   * The process hangs, or the machine sleeps, for `ms`: time is gone, and every timer that fell due
   * fires before anything that arrived meanwhile is read.
   */
  stall(ms: number): void;
  /** The wall clock is set, forward or back; elapsed time does not notice. */
  setWallClock(byMs: number): void;
  /** Pushes time in steps until `check` no longer throws. */
  push(stepMs: number, check: () => void): Promise<void>;
  /** How many timers and sleeps are waiting. */
  readonly pending: number;
  /** Time since the start, in milliseconds. */
  readonly elapsedMs: number;
}

interface Entry {
  readonly atMs: number;
  readonly fire: () => void;
}

const START_MS = Date.UTC(2026, 0, 1);
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export function createTestClock(): TestClock {
  const entries = new Set<Entry>();
  // Stands still: it only lets the event loop turn.
  const loop = createFakeClock();
  let elapsedMs = 0;
  let wallOffsetMs = 0;

  function add(fire: () => void, delayMs: number): () => void {
    const entry = { atMs: elapsedMs + Math.min(Math.max(delayMs, 0) || 0, LONGEST_DELAY_MS), fire };
    entries.add(entry);
    return () => entries.delete(entry);
  }

  function takeEarliest(untilMs: number): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of entries) {
      if (entry.atMs <= untilMs && (!found || entry.atMs < found.atMs)) found = entry;
    }
    if (found) entries.delete(found);
    return found;
  }

  async function advance(ms: number): Promise<void> {
    const untilMs = elapsedMs + ms;
    await loop.advance(0);
    for (let next = takeEarliest(untilMs); next; next = takeEarliest(untilMs)) {
      elapsedMs = Math.max(elapsedMs, next.atMs);
      next.fire();
      await loop.advance(0);
    }
    elapsedMs = Math.max(elapsedMs, untilMs);
  }

  return {
    now: () => START_MS + elapsedMs + wallOffsetMs,
    monotonic: () => START_MS + elapsedMs,
    setTimeout: (callback, delayMs) => ({ cancel: add(callback, delayMs) }),
    sleep(delayMs, { signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = (): void => {
          remove();
          reject(signal?.reason);
        };
        const remove = add(() => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        }, delayMs);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    advance,
    stall(ms) {
      elapsedMs += ms;
      const due = [...entries].filter(({ atMs }) => atMs <= elapsedMs);
      for (const entry of due.toSorted((a, b) => a.atMs - b.atMs)) {
        // A timer that fired before this one may have taken it back.
        if (entries.delete(entry)) entry.fire();
      }
    },
    setWallClock(byMs) {
      wallOffsetMs += byMs;
    },
    push: (stepMs, check) =>
      vi.waitFor(
        async () => {
          await advance(stepMs);
          check();
        },
        // Of real time, and for a busy machine: it ends as soon as the check holds.
        { timeout: 60_000, interval: 1 },
      ),
    get pending() {
      return entries.size;
    },
    get elapsedMs() {
      return elapsedMs;
    },
  };
}
