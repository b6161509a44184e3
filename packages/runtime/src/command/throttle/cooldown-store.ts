import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';

/** Store of cooldowns. A store that several processes share applies the cooldowns to all processes together. */
export interface CooldownStore {
  /**
   * Counts a run, unless `limit` runs were counted in the window of `everyMs`, which begins with its first run.
   *
   * @returns 0 if the run was counted, else the milliseconds until the next run is possible.
   */
  start(key: string, everyMs: number, limit: number): number | Promise<number>;
  /** Removes a counted run that did not happen. */
  cancel(key: string, everyMs: number): void | Promise<void>;
}

interface Window {
  endsAtMs: number;
  count: number;
}

/**
 * Creates a store in memory. It keeps `max` to twice as many keys for each duration. Counts in the time of `Clock.now`, which
 * `virgule sim clock` moves; a cooldown never lasts longer than `everyMs` after the clock was set back.
 */
export function createMemoryCooldowns(clock: Pick<Clock, 'now'>, max = 100_000): CooldownStore {
  // One map for each duration: many short cooldowns must not evict a long cooldown.
  const byDuration = new Map<number, LruMap<Window>>();

  return {
    start(key, everyMs, limit) {
      const nowMs = clock.now();
      const windows = byDuration.get(everyMs) ?? new LruMap<Window>({ maxSize: 2 * max });
      byDuration.set(everyMs, windows);
      const window = windows.get(key);
      if (!window || window.endsAtMs <= nowMs) {
        windows.set(key, { endsAtMs: nowMs + everyMs, count: 1 });
        return 0;
      }
      window.endsAtMs = Math.min(window.endsAtMs, nowMs + everyMs);
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
