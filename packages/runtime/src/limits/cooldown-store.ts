import type { Clock } from '@virgule/core/clock';

/** Where cooldowns are kept. One that several processes share makes a cooldown hold for all of them. */
export interface CooldownStore {
  /**
   * Starts a cooldown, unless one with this key still runs.
   *
   * @returns 0 when it was started, else the milliseconds that are left of the one that runs.
   */
  start(key: string, everyMs: number): number | Promise<number>;
  /** Takes back a cooldown whose command did not run after all. */
  cancel(key: string): void | Promise<void>;
}

export interface MemoryCooldownOptions {
  readonly clock: Clock;
  /** The most cooldowns that are kept; past it the oldest are forgotten. @defaultValue 100_000 */
  readonly max?: number | undefined;
}

const DEFAULT_MAX = 100_000;
/** How many old ones are looked at with each new one: more than one, so that those that are over go away. */
const SWEEP = 2;

/** Cooldowns in the memory of this process. */
export function createMemoryCooldowns({
  clock,
  max = DEFAULT_MAX,
}: MemoryCooldownOptions): CooldownStore {
  /** When each is over, the oldest first. */
  const endsAtMs = new Map<string, number>();

  function sweep(nowMs: number): void {
    let looked = 0;
    for (const [key, endMs] of endsAtMs) {
      if (endMs > nowMs && endsAtMs.size <= max) {
        looked += 1;
        if (looked >= SWEEP) return;
        continue;
      }
      endsAtMs.delete(key);
    }
  }

  return {
    start(key, everyMs) {
      const nowMs = clock.monotonic();
      const leftMs = (endsAtMs.get(key) ?? 0) - nowMs;
      if (leftMs > 0) return leftMs;
      endsAtMs.delete(key);
      endsAtMs.set(key, nowMs + everyMs);
      sweep(nowMs);
      return 0;
    },
    cancel: (key) => void endsAtMs.delete(key),
  };
}
