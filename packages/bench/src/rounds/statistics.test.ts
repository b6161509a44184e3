import { describe, expect, it } from 'vitest';
import { median, percentile, slopeOf } from './statistics.js';

describe('median', () => {
  it('is the middle one, or halfway between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 2, 10, 4])).toBe(3);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });
});

describe('percentile', () => {
  it('returns the value that a share of the values does not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_value, index) => index + 1);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([3], 0.99)).toBe(3);
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('slopeOf', () => {
  it('is how much y grows with x', () => {
    const line = [0, 1, 2, 3].map((x) => ({ x, y: 10 - 2 * x }));
    expect(slopeOf(line)).toBe(-2);
  });

  it('is not moved by a few outliers', () => {
    const flat = Array.from({ length: 20 }, (_value, x) => ({ x, y: x === 7 ? 900 : 4 }));
    expect(slopeOf(flat)).toBe(0);
  });

  it('is 0 where there is nothing to compare', () => {
    expect(slopeOf([])).toBe(0);
    expect(slopeOf([{ x: 1, y: 5 }])).toBe(0);
    expect(
      slopeOf([
        { x: 1, y: 5 },
        { x: 1, y: 9 },
      ]),
    ).toBe(0);
  });
});
