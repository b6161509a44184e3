import type { SimClockState } from '@virgule/core/simulator-api';
import { formatDuration } from './format.js';

/** Returns the time of the world, in milliseconds since the epoch. */
export const simTime = ({ offsetMs, pausedAtMs }: SimClockState, realMs: number): number =>
  pausedAtMs ?? realMs + offsetMs;

/** Returns the lead of a clock, such as `clock +5 min` or `clock paused`; empty without a lead. */
export function clockText({ offsetMs, pausedAtMs }: SimClockState): string {
  if (pausedAtMs !== null) return 'clock paused';
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  if (seconds === 0) return '';
  return `clock ${offsetMs > 0 ? '+' : '−'}${formatDuration(seconds * 1_000)}`;
}
