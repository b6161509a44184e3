import { systemClock, type Clock } from '@virgule/core/clock';
import type { FeltFault } from './judge-soak.js';

/** How often it is looked, how late a look may be, and how long a stall is felt; in milliseconds. */
const LOOK_MS = 50;
const LATE_MS = 50;
const FELT_MS = 500;

export interface StallWatch {
  /** Stops, and tells when there were stalls. */
  end(): readonly FeltFault[];
}

/**
 * Notes when this process is woken late. It does little, so that means that the machine has too
 * little time for all of us, and latencies of that time say nothing about the bot.
 */
export function watchStalls(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'> = systemClock,
): StallWatch {
  const stalls: { name: string; fromMs: number; toMs: number }[] = [];
  let dueMs = 0;
  const next = (): void => {
    dueMs = clock.monotonic() + LOOK_MS;
    timer = clock.setTimeout(look, LOOK_MS);
  };
  const look = (): void => {
    const nowMs = clock.monotonic();
    if (nowMs - dueMs > LATE_MS) note(dueMs - LOOK_MS, nowMs + FELT_MS);
    next();
  };
  function note(fromMs: number, toMs: number): void {
    const last = stalls.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = toMs;
    else stalls.push({ name: 'busy machine', fromMs, toMs });
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
