import { describe, expect, it } from 'vitest';
import { systemRandom } from './system-random.js';

describe('systemRandom', () => {
  it('returns different numbers from 0 up to 1', () => {
    const numbers = Array.from({ length: 100 }, systemRandom);
    expect(numbers.filter((number) => number < 0 || number >= 1)).toEqual([]);
    expect(new Set(numbers).size).toBeGreaterThan(50);
  });
});
