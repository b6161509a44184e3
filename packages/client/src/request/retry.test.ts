import type { RetryClass } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { backoffMs, isRepeatHarmless, limitJitterMs, mayTryAgain } from './retry.js';

const classes: readonly RetryClass[] = ['safe', 'repeatable', 'once', 'settle'];

describe('mayTryAgain', () => {
  it('allows any number of tries of what was never sent', () => {
    const unsent = { maybeSent: false, sentTries: 0 };
    const allowed = classes.map((retry) => mayTryAgain({ ...unsent, plan: { retry } }, false));
    expect(allowed).toEqual(classes.map(() => true));
  });

  it('allows three tries of what may have been sent, only where a repeat is harmless', () => {
    expect(classes.map(isRepeatHarmless)).toEqual([true, true, false, false]);
    const failed = (sentTries: number) =>
      classes.map((retry) => mayTryAgain({ plan: { retry }, maybeSent: true, sentTries }, false));
    expect([failed(1), failed(2)]).toEqual(Array(2).fill([true, true, false, false]));
    expect(failed(3)).toEqual([false, false, false, false]);
  });

  it('allows more of them while the platform is away', () => {
    const failed = { maybeSent: true, sentTries: 3 };
    expect(classes.map((retry) => mayTryAgain({ ...failed, plan: { retry } }, true))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('backoffMs', () => {
  it('doubles from 250 ms to 2 s', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((faults) => backoffMs(faults, 60_000, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000, 2_000]);
    expect(backoffMs(3, 60_000, () => 0)).toBe(0);
  });

  it('leaves half of the time until the deadline, and ends shortly before it', () => {
    const pauses = [3_000, 1_500, 100, 99].map((leftMs) => backoffMs(9, leftMs, () => 1));
    expect(pauses).toEqual([1_500, 750, 50, undefined]);
  });
});

describe('limitJitterMs', () => {
  it('adds up to 250 ms, to a short wait a tenth of it, and never takes any away', () => {
    expect([0, 0.5, 1].map((chance) => limitJitterMs(60_000, () => chance))).toEqual([0, 125, 250]);
    expect([0, 0.5, 1].map((chance) => limitJitterMs(1_000, () => chance))).toEqual([0, 50, 100]);
  });
});
