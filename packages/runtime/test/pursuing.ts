import type { FakeClock } from '@virgule/core/clock';
import { pursue } from '../src/command/answer/pursue.js';

/** Pursues calls without an end of their window and without chance. */
export const pursuing =
  (clock: FakeClock) =>
  <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> =>
    pursue(call, () => ({ clock, random: () => 0, untilMs: Infinity, signal }));
