import { describe, expect, it } from 'vitest';
import { levelOf } from './listener.js';

describe('levelOf', () => {
  it.each([
    [0, 0],
    [0.000_1, 0],
    [0.1, 67],
    [1, 100],
    [2, 100],
  ])('of samples of %d is %d', (sample, level) => {
    expect(levelOf(new Float32Array(960).fill(sample))).toBe(level);
  });

  it('of no samples is 0', () => expect(levelOf(new Float32Array())).toBe(0));
});
