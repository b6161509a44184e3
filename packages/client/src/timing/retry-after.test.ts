import { describe, expect, it } from 'vitest';
import { isWaitStated, retryAfterMs, statedRetryAfterMs } from './retry-after.js';

describe('retryAfterMs', () => {
  it.each([
    ['2', undefined, 2_000],
    [undefined, 3, 3_000],
    [['4', '9'], 1, 4_000],
    ['2147483648', 0, 2_147_483_648_000],
    ['0', undefined, 1_000],
    ['12345678901', undefined, 5_000],
    ['', '', 5_000],
    [undefined, Number.NaN, 5_000],
    [undefined, -1, 5_000],
    [undefined, { seconds: 2 }, 5_000],
  ])('reads header %j and body %j as %d ms', (header, body, expectedMs) => {
    expect(retryAfterMs(header, body)).toBe(expectedMs);
  });
});

describe('statedRetryAfterMs', () => {
  it('is 0 when nothing usable is stated', () => {
    expect(statedRetryAfterMs('7')).toBe(7_000);
    expect(statedRetryAfterMs(undefined)).toBe(0);
    expect(statedRetryAfterMs('Wed, 21 Oct 2026 07:28:00 GMT')).toBe(0);
  });
});

describe('isWaitStated', () => {
  it('is true when header or body says a whole number of seconds', () => {
    expect(isWaitStated('0', undefined)).toBe(true);
    expect(isWaitStated(undefined, 5)).toBe(true);
    expect(isWaitStated('soon', -1)).toBe(false);
    expect(isWaitStated(undefined, undefined)).toBe(false);
  });
});
