import { DURATION_UNITS_MS as UNITS_MS, parseDuration } from '@virgule/core/text';
import type { $brand } from 'zod';

type Unit = keyof typeof UNITS_MS;

/** A number of milliseconds, as returned by `option.duration()`. A plain number is not assignable: its unit is unknown. */
export type Milliseconds = number & $brand<'ms'>;

/**
 * A duration: a number with its unit, `'250ms'`, `'1.5s'`, `'5m'`, `'2h'`, `'1d'`, or the value of an `option.duration()`.
 * Write a computed number of milliseconds as `${number}ms`.
 */
export type Duration = `${number}${Unit}` | Milliseconds;

/**
 * Returns the milliseconds of a duration: a number of milliseconds, or a string such as `30s`, `1.5h` or `1h30m`, with units
 * from large to small, each once. `undefined` if the value is not a duration.
 */
export function durationMs(value: unknown): Milliseconds | undefined {
  const ms = typeof value === 'string' ? parseDuration(value) : value;
  const isDuration = typeof ms === 'number' && ms >= 0 && ms <= Number.MAX_SAFE_INTEGER;
  return isDuration ? (ms as Milliseconds) : undefined;
}

/** Formats a number of milliseconds as the shortest duration: `1h30m`. */
export function formatDuration(ms: number): string {
  let left = ms;
  let text = '';
  // The units of the constant are from large to small.
  for (const [unit, unitMs] of Object.entries(UNITS_MS)) {
    const count = Math.floor(left / unitMs);
    if (count > 0) text += `${count}${unit}`;
    left -= count * unitMs;
  }
  return text || '0s';
}
