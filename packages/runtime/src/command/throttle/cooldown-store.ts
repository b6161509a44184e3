import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';

/** Maximum number of runs in a window, which begins with its first run. */
interface CooldownLimit {
  readonly limit: number;
  readonly everyMs: number;
}

/** Store of cooldowns. A store that several processes share applies the cooldowns to all processes together. */
export interface CooldownStore {
  /**
   * Counts a run, unless the limit is reached; with -1, removes a counted run that did not happen.
   *
   * @returns 0 if the count was changed, else the milliseconds until the next run is possible.
   */
  count(key: string, change: 1 | -1, limit: CooldownLimit): number | Promise<number>;
}

export interface Window {
  readonly endsAt: number;
  readonly count: number;
}

/** Returns the window after a change, and the time until the next run is possible if the run is not counted. */
export function changeWindow(
  window: Window | undefined,
  change: 1 | -1,
  { limit, everyMs }: CooldownLimit,
  now: number,
): { readonly window: Window | undefined; readonly leftMs: number } {
  const { endsAt: statedEnd, count } =
    window && window.endsAt > now ? window : { endsAt: Infinity, count: 0 };
  // A clock that was ahead when the window began may have set a later end.
  const endsAt = Math.min(statedEnd, now + everyMs);
  if (change > 0 && count >= limit)
    return { window: statedEnd === endsAt ? window : { endsAt, count }, leftMs: endsAt - now };
  const next = count + change;
  return { window: next > 0 ? { endsAt, count: next } : undefined, leftMs: 0 };
}

/**
 * Creates a store in memory. It keeps `max` to twice as many keys for each duration. Counts in the time of `Clock.now`, which
 * `virgule sim clock` moves; a cooldown never lasts longer than `everyMs` after the clock was set back.
 */
export function createMemoryCooldowns(clock: Pick<Clock, 'now'>, max = 100_000): CooldownStore {
  // One map for each duration: many short cooldowns must not evict a long cooldown.
  const byDuration = new Map<number, LruMap<Window>>();

  return {
    count(key, change, limit) {
      const { everyMs } = limit;
      const windows = byDuration.get(everyMs) ?? new LruMap<Window>(2 * max);
      byDuration.set(everyMs, windows);
      const before = windows.get(key);
      const { window, leftMs } = changeWindow(before, change, limit, clock.now());
      // Most checks refuse a run and change nothing.
      if (window === before) return leftMs;
      if (window) windows.set(key, window);
      else windows.delete(key);
      return leftMs;
    },
  };
}
