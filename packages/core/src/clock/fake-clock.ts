import { clampDelay, type Clock } from './clock.js';

export interface FakeClockOptions {
  /**
   * Wall-clock time at the start, in milliseconds since the epoch.
   *
   * @defaultValue 2026-01-01T00:00:00Z
   */
  readonly nowMs?: number;
}

/** A clock that stands still until it is pushed. */
export interface FakeClock extends Clock {
  /**
   * Moves time forward by `ms` milliseconds and fires every timer that falls due on the way, in
   * order of time, letting promise callbacks run between them.
   */
  advance(ms: number): Promise<void>;
  /** The event loop is busy for `ms` milliseconds: time is gone, and nothing fires before the next push. */
  stall(ms: number): void;
  /** How many timers and sleeps are waiting. */
  readonly pending: number;
}

interface Entry {
  readonly atMs: number;
  readonly fire: () => void;
}

const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);

/** Lets every promise callback that is ready run, with those they start in turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createFakeClock({ nowMs = DEFAULT_NOW_MS }: FakeClockOptions = {}): FakeClock {
  let elapsedMs = 0;
  const entries = new Set<Entry>();

  function add(fire: () => void, delayMs: number): () => void {
    const entry = { atMs: elapsedMs + clampDelay(delayMs), fire };
    entries.add(entry);
    return () => entries.delete(entry);
  }

  function earliest(untilMs: number): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of entries) {
      if (entry.atMs <= untilMs && (!found || entry.atMs < found.atMs)) found = entry;
    }
    return found;
  }

  return {
    now: () => nowMs + elapsedMs,
    monotonic: () => nowMs + elapsedMs,
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
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let next = earliest(untilMs); next; next = earliest(untilMs)) {
        elapsedMs = Math.max(elapsedMs, next.atMs);
        entries.delete(next);
        next.fire();
        await settle();
      }
      // Another call may have gone further while this one let promises run.
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    stall(ms) {
      elapsedMs += Math.max(ms, 0);
    },
    get pending() {
      return entries.size;
    },
  };
}
