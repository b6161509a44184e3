import type { RetryClass } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { isRepeatHarmless, limitJitterMs, mayTryAgain } from './retry.js';

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

describe('limitJitterMs', () => {
  it('adds up to 250 ms, to a short wait a tenth of it, and never takes any away', () => {
    expect([0, 0.5, 1].map((chance) => limitJitterMs(60_000, () => chance))).toEqual([0, 125, 250]);
    expect([0, 0.5, 1].map((chance) => limitJitterMs(1_000, () => chance))).toEqual([0, 50, 100]);
  });
});
