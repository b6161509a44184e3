import { describe, expect, it } from 'vitest';
import { systemRandom } from './system-random.js';

describe('systemRandom', () => {
  it('gives numbers from 0 up to 1, not the same again and again', () => {
    const numbers = Array.from({ length: 100 }, systemRandom);
    expect(numbers.filter((number) => number < 0 || number >= 1)).toEqual([]);
    expect(new Set(numbers).size).toBeGreaterThan(50);
  });
});
