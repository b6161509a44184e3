import { describe, expect, it } from 'vitest';
import {
  calibrate,
  resetInMs,
  UNCALIBRATED,
  type ResetCalibration,
  type ResetUnit,
} from './reset-calibration.js';

const NOW_MS = Date.UTC(2026, 5, 1);

/** What `X-RateLimit-Reset` says of a wait, in each unit. */
const written: Record<ResetUnit, (waitMs: number) => number> = {
  'delta seconds': (waitMs) => Math.ceil(waitMs / 1_000),
  'delta ms': (waitMs) => waitMs,
  'epoch seconds': (waitMs) => Math.ceil((NOW_MS + waitMs) / 1_000),
  'epoch ms': (waitMs) => NOW_MS + waitMs,
};
const units = Object.keys(written) as ResetUnit[];

function seen(
  unit: ResetUnit,
  waitsMs: readonly number[],
  from: ResetCalibration = UNCALIBRATED,
): ResetCalibration {
  return waitsMs.reduce<ResetCalibration>(
    (known, waitMs) =>
      calibrate(known, {
        reset: written[unit](waitMs),
        retryAfterMs: Math.ceil(waitMs / 1_000) * 1_000,
        nowMs: NOW_MS,
      }),
    from,
  );
}

describe('X-RateLimit-Reset', () => {
  it.each(units)('in %s is believed after three agreements, not before', (unit) => {
    const reset = written[unit](8_000);
    expect(resetInMs(seen(unit, [5_000, 9_000]), reset, NOW_MS)).toBeUndefined();
    const known = seen(unit, [5_000, 9_000, 4_000]);
    expect(known).toEqual({ unit, agreements: 3, dropped: false });
    const inMs = resetInMs(known, reset, NOW_MS) ?? 0;
    expect(inMs).toBeGreaterThanOrEqual(8_000);
    expect(inMs).toBeLessThanOrEqual(9_000);
  });

  it('is used by the time of the server, whatever this machine believes', () => {
    const skewedMs = NOW_MS + 3_600_000;
    let known = UNCALIBRATED;
    for (const waitMs of [5_000, 6_000, 7_000]) {
      const reset = (skewedMs + waitMs) / 1_000;
      known = calibrate(known, { reset, retryAfterMs: waitMs, nowMs: skewedMs });
    }
    expect(known.unit).toBe('epoch seconds');
  });

  it.each([
    ['a time in the past', NOW_MS / 1_000 - 3_600],
    ['another wait', 600],
    ['zero beside a long wait', 0],
  ])('is dropped for good when it says %s', (_name, reset) => {
    const known = calibrate(seen('delta seconds', [5_000, 6_000, 7_000]), {
      reset,
      retryAfterMs: 20_000,
      nowMs: NOW_MS,
    });
    expect(known.dropped).toBe(true);
    expect(resetInMs(known, 8, NOW_MS)).toBeUndefined();
    expect(seen('delta seconds', [5_000, 6_000, 7_000], known).dropped).toBe(true);
  });

  it('is dropped when it changes its unit', () => {
    expect(seen('epoch ms', [5_000], seen('delta seconds', [5_000])).dropped).toBe(true);
    expect(seen('delta ms', [5_000], seen('epoch ms', [5_000])).dropped).toBe(true);
  });

  it('learns nothing from a wait that fits seconds and milliseconds alike', () => {
    expect(seen('delta seconds', [1_000])).toEqual(UNCALIBRATED);
  });

  it('is never before now', () => {
    const known = seen('epoch ms', [5_000, 6_000, 7_000]);
    expect(resetInMs(known, NOW_MS - 50_000, NOW_MS)).toBe(0);
  });
});
