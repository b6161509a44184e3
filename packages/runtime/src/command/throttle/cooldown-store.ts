import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';

/** Where cooldowns are kept. One that several processes share applies them to all of these. */
export interface CooldownStore {
  /**
   * Counts a run, unless `limit` runs with this key were counted since the first one, within `everyMs`.
   *
   * @returns 0 if the run was counted, else the milliseconds until the next one may be.
   */
  start(key: string, everyMs: number, limit: number): number | Promise<number>;
  /** Takes back a run that was counted and did not happen after all. */
  cancel(key: string, everyMs: number): void | Promise<void>;
}

interface Window {
  readonly endsAtMs: number;
  count: number;
}

/**
 * Creates a store in the memory of this process.
 *
 * @param max - keys of one duration that are kept at least; at most twice as many.
 */
export function createMemoryCooldowns(
  clock: Pick<Clock, 'monotonic'>,
  max = 100_000,
): CooldownStore {
  // A map for each duration: many short cooldowns must not push out a long one.
  const byDuration = new Map<number, LruMap<Window>>();

  return {
    start(key, everyMs, limit) {
      const nowMs = clock.monotonic();
      const windows = byDuration.get(everyMs) ?? new LruMap<Window>({ maxSize: 2 * max });
      byDuration.set(everyMs, windows);
      const window = windows.get(key);
      if (!window || window.endsAtMs <= nowMs) {
        windows.set(key, { endsAtMs: nowMs + everyMs, count: 1 });
        return 0;
      }
      if (window.count >= limit) return window.endsAtMs - nowMs;
      window.count += 1;
      return 0;
    },
    cancel(key, everyMs) {
      const windows = byDuration.get(everyMs);
      const window = windows?.get(key);
      if (!window) return;
      window.count -= 1;
      if (window.count <= 0) windows?.delete(key);
    },
  };
}
