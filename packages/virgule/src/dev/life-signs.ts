import type { Clock, Timer } from '@virgule/core/clock';

export interface LifeSignsOptions {
  readonly clock: Clock;
  /** Nothing was heard for too long. Told once. */
  readonly onSilence: (how: string) => void;
  /** The memory is nearly used up. Told once. */
  readonly onHeavy: (reason: string) => void;
}

/** Judges a process by the signs of life that it sends. */
export interface LifeSigns {
  /** A sign came: how much of its heap is in use, and how much it may use. */
  heard(heapBytes: number, heapLimitBytes: number): void;
  stop(): void;
}

/** How often a process gives a sign of life, in milliseconds. */
export const SIGN_EVERY_MS = 1_000;
/** So many signs may be missing. A machine that slept misses one: time stands still here too. */
const SIGNS_MISSING = 10;
/** A heap as full as this share of its limit, so many times in a row, will not get better by itself. */
const HEAVY = { share: 0.8, times: 3 };

export function createLifeSigns({ clock, onSilence, onHeavy }: LifeSignsOptions): LifeSigns {
  let missing = 0;
  let heavy = 0;
  let timer: Timer;

  function tick(): void {
    missing += 1;
    if (missing > SIGNS_MISSING)
      onSilence(`no sign of life for ${(SIGNS_MISSING * SIGN_EVERY_MS) / 1_000} s`);
    else timer = clock.setTimeout(tick, SIGN_EVERY_MS);
  }
  timer = clock.setTimeout(tick, SIGN_EVERY_MS);

  return {
    heard(heapBytes, heapLimitBytes) {
      missing = 0;
      heavy = heapBytes > heapLimitBytes * HEAVY.share ? heavy + 1 : 0;
      if (heavy !== HEAVY.times) return;
      const [used, limit] = [heapBytes, heapLimitBytes].map((bytes) => Math.round(bytes / 2 ** 20));
      onHeavy(`its heap holds ${used} of ${limit} MiB, which looks like a leak`);
    },
    stop: () => timer.cancel(),
  };
}
