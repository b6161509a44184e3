import { describe, expect, it } from 'vitest';
import { isWaitStated, retryAfterMs, statedRetryAfterMs } from './retry-after.js';

describe('retryAfterMs', () => {
  it.each([
    ['2', undefined, 2_000],
    [undefined, 3, 3_000],
    [['4', '9'], 1, 4_000],
    ['2147483648', 0, 2_147_483_648_000],
    ['0', undefined, 1_000],
    ['1.5', undefined, 1_500],
    [undefined, 2.25, 2_250],
    ['12345678901', undefined, 5_000],
    ['', '', 5_000],
    [undefined, Number.NaN, 5_000],
    [undefined, -1, 5_000],
    [undefined, { seconds: 2 }, 5_000],
  ])('reads header %j and body %j as %d ms', (header, body, expectedMs) => {
    expect(retryAfterMs(header, body)).toBe(expectedMs);
  });
});

describe('a date', () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

  it.each([
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 1_000],
    ['some day', 5_000],
  ])('%s counts from the time of the answer', (header, expectedMs) => {
    expect(retryAfterMs(header, undefined, date)).toBe(expectedMs);
  });

  it('is not believed without that', () => {
    expect(retryAfterMs('Wed, 21 Oct 2026 07:28:30 GMT', undefined)).toBe(5_000);
    expect(isWaitStated('Wed, 21 Oct 2026 07:28:30 GMT', undefined)).toBe(false);
  });
});

describe('statedRetryAfterMs', () => {
  it('is 0 when nothing usable is stated', () => {
    expect(statedRetryAfterMs('7')).toBe(7_000);
    expect(statedRetryAfterMs(undefined)).toBe(0);
    expect(statedRetryAfterMs('Wed, 21 Oct 2026 07:28:00 GMT')).toBe(0);
    const date = 'Wed, 21 Oct 2026 07:27:00 GMT';
    expect(statedRetryAfterMs('Wed, 21 Oct 2026 07:28:00 GMT', date)).toBe(60_000);
  });
});

describe('isWaitStated', () => {
  it('is true when header or body says a number of seconds, or a date', () => {
    expect(isWaitStated('0', undefined)).toBe(true);
    expect(isWaitStated(undefined, 5)).toBe(true);
    expect(isWaitStated('soon', -1)).toBe(false);
    expect(isWaitStated(undefined, undefined)).toBe(false);
  });
});
