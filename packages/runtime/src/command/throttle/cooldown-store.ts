import type { Clock, Timer } from '@virgule/core/clock';

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
  /** Forgets what is kept in the memory of this process. */
  close(): void;
}

export interface MemoryCooldownOptions {
  readonly clock: Clock;
  /** Keys of one duration that are kept at least; at most twice as many. @defaultValue 100_000 */
  readonly max?: number | undefined;
}

const DEFAULT_MAX = 100_000;
/** Memory is returned after this time at the latest, in milliseconds. */
const MAX_TIMER_MS = 60 * 60_000;

interface Window {
  readonly endsAtMs: number;
  count: number;
}

/** Windows of one duration. All that are in `old` at the next turn are over. */
interface Generations {
  young: Map<string, Window>;
  old: Map<string, Window>;
  turnsAtMs: number;
}

/**
 * Creates a store in the memory of this process. Two generations for each duration, of which the older
 * one is dropped as a whole: a run costs the same with one key and with a million, and nothing is ever
 * searched for what has expired.
 */
export function createMemoryCooldowns({
  clock,
  max = DEFAULT_MAX,
}: MemoryCooldownOptions): CooldownStore {
  const byDuration = new Map<number, Generations>();
  let timer: Timer | undefined;

  function turn(generations: Generations, everyMs: number, nowMs: number): void {
    const isLongAgo = nowMs >= generations.turnsAtMs + everyMs;
    generations.old = isLongAgo ? new Map() : generations.young;
    generations.young = new Map();
    generations.turnsAtMs = nowMs + everyMs;
  }

  function generationsOf(everyMs: number, nowMs: number): Generations {
    let generations = byDuration.get(everyMs);
    if (!generations) {
      generations = { young: new Map(), old: new Map(), turnsAtMs: nowMs + everyMs };
      byDuration.set(everyMs, generations);
    } else if (nowMs >= generations.turnsAtMs) turn(generations, everyMs, nowMs);
    return generations;
  }

  /** Frees memory even if no further command does. */
  function arm(): void {
    if (timer || byDuration.size === 0) return;
    const nowMs = clock.monotonic();
    const waits = [...byDuration.values()].map(({ turnsAtMs }) => turnsAtMs - nowMs);
    timer = clock.setTimeout(collect, Math.max(1, Math.min(...waits, MAX_TIMER_MS)));
  }

  function collect(): void {
    timer = undefined;
    const nowMs = clock.monotonic();
    for (const [everyMs, generations] of byDuration) {
      if (nowMs >= generations.turnsAtMs) turn(generations, everyMs, nowMs);
      if (generations.young.size + generations.old.size === 0) byDuration.delete(everyMs);
    }
    arm();
  }

  return {
    start(key, everyMs, limit) {
      const nowMs = clock.monotonic();
      const generations = generationsOf(everyMs, nowMs);
      const window = generations.young.get(key) ?? generations.old.get(key);
      if (window && window.endsAtMs > nowMs) {
        if (window.count >= limit) return window.endsAtMs - nowMs;
        window.count += 1;
        return 0;
      }
      if (generations.young.size >= max) turn(generations, everyMs, nowMs);
      generations.young.set(key, { endsAtMs: nowMs + everyMs, count: 1 });
      arm();
      return 0;
    },
    cancel(key, everyMs) {
      const generations = byDuration.get(everyMs);
      for (const windows of generations ? [generations.young, generations.old] : []) {
        const window = windows.get(key);
        if (!window) continue;
        window.count -= 1;
        if (window.count <= 0) windows.delete(key);
        return;
      }
    },
    close() {
      timer?.cancel();
      timer = undefined;
      byDuration.clear();
    },
  };
}
