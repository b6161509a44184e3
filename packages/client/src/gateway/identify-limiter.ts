import type { Clock } from '@virgule/core/clock';
import type { IdentifyStore } from './identify-store.js';

/** Keeps a bot from identifying too often. */
export interface IdentifyLimiter {
  /** When the next IDENTIFY may be sent, in milliseconds from now; 0 when at once. */
  delayMs(): number;
  /** IDENTIFY is sent. */
  spend(): void;
}

/** How often a bot identifies at most. The platform's own limit is not stated; this one is assumed. */
const LIMITS = [
  { windowMs: 60_000, most: 5 },
  { windowMs: 24 * 60 * 60_000, most: 500 },
] as const;

const LONGEST_WINDOW_MS = Math.max(...LIMITS.map(({ windowMs }) => windowMs));
const REMEMBERED = Math.max(...LIMITS.map(({ most }) => most));

/** One that never says no: for a platform on this machine. */
export const unlimitedIdentifies: IdentifyLimiter = { delayMs: () => 0, spend: () => {} };

/** Goes by the clock on the wall, the only one that goes on across a restart. */
export function createIdentifyLimiter(
  clock: Pick<Clock, 'now'>,
  store: IdentifyStore | undefined,
): IdentifyLimiter {
  let spentAtMs: readonly number[] | undefined;

  function current(nowMs: number): readonly number[] {
    spentAtMs = (spentAtMs ?? store?.load() ?? [])
      // One in the future is from a clock that was set back since; it would count for too long.
      .map((atMs) => Math.min(atMs, nowMs))
      .filter((atMs) => atMs > nowMs - LONGEST_WINDOW_MS)
      .slice(-REMEMBERED);
    return spentAtMs;
  }

  return {
    delayMs() {
      const nowMs = clock.now();
      const earlier = current(nowMs);
      return Math.max(
        0,
        ...LIMITS.map(({ windowMs, most }) => {
          // The one that has to be out of the window before another one fits in.
          const oldest = earlier.at(-most);
          return oldest === undefined ? 0 : oldest + windowMs - nowMs;
        }),
      );
    },
    spend() {
      const nowMs = clock.now();
      spentAtMs = [...current(nowMs), nowMs];
      store?.save(spentAtMs);
    },
  };
}
