import { describe, expect, it } from 'vitest';
import { fullJitter } from './retry.js';

describe('fullJitter', () => {
  it('lies between nothing and a bound that doubles with each failure up to the cap', () => {
    const bounds = (chance: number): number[] =>
      [0, 1, 2, 3, 4, 5, 60, 2_000].map((failures) =>
        fullJitter(failures, () => chance, { baseMs: 250, capMs: 8_000 }),
      );
    expect(bounds(1)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(bounds(0.5)).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    expect(bounds(0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
