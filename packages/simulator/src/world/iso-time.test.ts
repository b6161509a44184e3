import { describe, expect, it } from 'vitest';
import { isoTime } from './iso-time.js';

describe('isoTime', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_767_225_600_123, '2026-01-01T00:00:00.123Z'],
  ])('writes %s as %s, as often as it is asked', (ms, text) => {
    expect([isoTime(ms), isoTime(ms)]).toEqual([text, text]);
  });

  it('formats more times than it caches', () => {
    const times = Array.from({ length: 2_500 }, (_, index) => index);
    const expected = times.map((ms) => new Date(ms).toISOString());
    expect(times.map(isoTime)).toEqual(expected);
    expect(times.map(isoTime)).toEqual(expected);
  });

  it('refuses what is no time', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  });
});
