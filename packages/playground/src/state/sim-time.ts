import type { SimClockState } from '@virgule/core/simulator-api';

/** Returns the time of the world, in milliseconds since the epoch. */
export function simTime({ offsetMs, pausedAtMs }: SimClockState, realMs: number): number {
  return pausedAtMs ?? realMs + offsetMs;
}

/** Returns the lead of a clock, such as `clock +5 min` or `clock paused`; empty without a lead. */
export function clockText({ offsetMs, pausedAtMs }: SimClockState): string {
  if (pausedAtMs !== null) return 'clock paused';
  const seconds = Math.round(offsetMs / 1_000);
  if (seconds === 0) return '';
  const [amount, unit] =
    Math.abs(seconds) < 120
      ? [seconds, 's']
      : Math.abs(seconds) < 7_200
        ? [Math.round(seconds / 60), 'min']
        : [Math.round(seconds / 3_600), 'h'];
  return `clock ${amount > 0 ? '+' : '−'}${Math.abs(amount)} ${unit}`;
}
