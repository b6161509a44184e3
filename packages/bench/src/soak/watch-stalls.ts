import { systemClock, type Clock } from '@virgule/core/clock';
import type { FaultWindow } from './judge-soak.js';

/** Check interval, tolerated delay of a check, and duration of the effect of a stall; in milliseconds. */
const CHECK_INTERVAL_MS = 50;
const MAX_DELAY_MS = 50;
const EFFECT_MS = 500;

export interface StallWatch {
  /** Stops, and returns the stalls. */
  end(): readonly FaultWindow[];
}

/**
 * Records when the timers of this process fire late. The process does little, so the machine is then
 * overloaded, and latencies are not meaningful.
 */
export function watchStalls(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'> = systemClock,
): StallWatch {
  const stalls: { name: string; fromMs: number; toMs: number }[] = [];
  let dueMs = 0;
  const next = (): void => {
    dueMs = clock.monotonic() + CHECK_INTERVAL_MS;
    timer = clock.setTimeout(check, CHECK_INTERVAL_MS);
  };
  const check = (): void => {
    const nowMs = clock.monotonic();
    if (nowMs - dueMs > MAX_DELAY_MS) note(dueMs - CHECK_INTERVAL_MS, nowMs + EFFECT_MS);
    next();
  };
  function note(fromMs: number, toMs: number): void {
    const last = stalls.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = toMs;
    else stalls.push({ name: 'machine overloaded', fromMs, toMs });
  }
  let timer = clock.setTimeout(() => {}, 0);
  next();
  return {
    end() {
      timer.cancel();
      return stalls;
    },
  };
}
