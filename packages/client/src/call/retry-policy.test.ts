import type { RetryClass } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { backoffMs, isRepeatHarmless, limitJitterMs, mayTryAgain } from './retry-policy.js';

const classes: readonly RetryClass[] = ['safe', 'repeatable', 'once', 'settle'];

describe('mayTryAgain', () => {
  it('allows three tries of anything that was never sent', () => {
    for (const retry of classes) {
      expect([1, 2, 3].map((faults) => mayTryAgain(retry, false, faults))).toEqual([
        true,
        true,
        false,
      ]);
    }
  });

  it('allows another try of what may have been sent only where a repeat is harmless', () => {
    expect(classes.map((retry) => mayTryAgain(retry, true, 1))).toEqual([true, true, false, false]);
    expect(classes.map(isRepeatHarmless)).toEqual([true, true, false, false]);
  });
});

describe('backoffMs', () => {
  it('doubles from 250 ms to 8 s', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((faults) => backoffMs(faults, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(backoffMs(3, () => 0)).toBe(0);
  });
});

describe('limitJitterMs', () => {
  it('adds up to 250 ms, to a short wait a tenth of it, and never takes any away', () => {
    expect([0, 0.5, 1].map((chance) => limitJitterMs(60_000, () => chance))).toEqual([0, 125, 250]);
    expect([0, 0.5, 1].map((chance) => limitJitterMs(1_000, () => chance))).toEqual([0, 50, 100]);
  });
});
