import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createIdentifyLimiter, unlimitedIdentifies } from './identify-limiter.js';

const DAY_MS = 24 * 60 * 60_000;

describe('createIdentifyLimiter', () => {
  it('allows 5 in a minute', async () => {
    const clock = createFakeClock();
    const limiter = createIdentifyLimiter(clock, undefined);
    for (let n = 0; n < 5; n += 1) {
      expect(limiter.delayMs()).toBe(0);
      limiter.spend();
      await clock.advance(1_000);
    }
    expect(limiter.delayMs()).toBe(55_000);
    await clock.advance(55_000);
    expect(limiter.delayMs()).toBe(0);
    limiter.spend();
    expect(limiter.delayMs()).toBe(1_000);
  });

  it('allows 500 in a day', async () => {
    const clock = createFakeClock();
    const limiter = createIdentifyLimiter(clock, undefined);
    let spent = 0;
    for (let passedMs = 0; passedMs < DAY_MS; passedMs += 60_000) {
      if (limiter.delayMs() === 0) {
        limiter.spend();
        spent += 1;
      }
      await clock.advance(60_000);
    }
    expect(spent).toBe(500);
    expect(limiter.delayMs()).toBe(0);
  });

  it('goes on from what was stored, and stores what is spent', () => {
    const nowMs = 1_000_000_000_000;
    const stored = [nowMs - DAY_MS, ...[50, 40, 30, 20, 10].map((agoS) => nowMs - agoS * 1_000)];
    let saved: readonly number[] = [];
    const limiter = createIdentifyLimiter(
      { now: () => nowMs },
      { load: () => stored, save: (times) => (saved = times) },
    );
    expect(limiter.delayMs()).toBe(10_000);
    limiter.spend();
    expect(saved).toEqual([...stored.slice(1), nowMs]);
  });

  it('takes times in the future for now: the clock was set back', () => {
    const limiter = createIdentifyLimiter(
      { now: () => 1_000 },
      { load: () => Array(5).fill(9e12), save: () => {} },
    );
    expect(limiter.delayMs()).toBe(60_000);
  });
});

describe('unlimitedIdentifies', () => {
  it('never says no', () => {
    for (let n = 0; n < 1_000; n += 1) unlimitedIdentifies.spend();
    expect(unlimitedIdentifies.delayMs()).toBe(0);
  });
});
