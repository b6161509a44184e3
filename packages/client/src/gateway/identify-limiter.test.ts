import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createIdentifyLimiter } from './identify-limiter.js';

const DAY_MS = 24 * 60 * 60_000;
const BUDGET = { perMinute: 5, perDay: 500 };

const delayOf = (limiter: ReturnType<typeof createIdentifyLimiter>): number =>
  limiter.wait()?.delayMs ?? 0;

describe('createIdentifyLimiter', () => {
  it('allows 5 in a minute', async () => {
    const clock = createFakeClock();
    const limiter = createIdentifyLimiter(BUDGET, clock, undefined);
    for (let n = 0; n < 5; n += 1) {
      expect(delayOf(limiter)).toBe(0);
      limiter.spend();
      await clock.advance(1_000);
    }
    expect(delayOf(limiter)).toBe(55_000);
    await clock.advance(55_000);
    expect(delayOf(limiter)).toBe(0);
    limiter.spend();
    expect(delayOf(limiter)).toBe(1_000);
  });

  it('lets 80 percent of a day go at any pace, spreads the rest, and never stops', async () => {
    const clock = createFakeClock();
    const limiter = createIdentifyLimiter(BUDGET, clock, undefined);
    const spentAtMs: number[] = [];
    const startMs = clock.monotonic();
    for (let passedMs = 0; passedMs < DAY_MS; passedMs += 15_000) {
      if (delayOf(limiter) === 0) {
        limiter.spend();
        spentAtMs.push(clock.monotonic() - startMs);
      }
      await clock.advance(15_000);
    }
    const [free, spread] = [spentAtMs.slice(0, 400), spentAtMs.slice(400)];
    expect(free.at(-1)).toBe(399 * 15_000);
    const steps = spread.map((atMs, index) => atMs - (spread[index - 1] ?? free.at(-1) ?? 0));
    // One in 172.8 s, asked for each 15 s.
    expect(new Set(steps)).toEqual(new Set([180_000]));
    expect(spread.length).toBeGreaterThan(400);
    expect(limiter.wait()?.reason).toMatch(/nearly used up \(500 of 500 a day\)/);
  });

  it('has no limit where it is 0', () => {
    const limiter = createIdentifyLimiter({ perMinute: 0, perDay: 0 }, { now: () => 0 }, undefined);
    for (let n = 0; n < 10_000; n += 1) limiter.spend();
    expect(limiter.wait()).toBeUndefined();
  });

  it('continues from what was stored, and stores what is spent', () => {
    const nowMs = 1_000_000_000_000;
    const stored = [nowMs - DAY_MS, ...[50, 40, 30, 20, 10].map((agoS) => nowMs - agoS * 1_000)];
    let saved: unknown;
    const limiter = createIdentifyLimiter(
      BUDGET,
      { now: () => nowMs },
      {
        read: () => stored,
        write: (state) => void (saved = state),
      },
    );
    expect(delayOf(limiter)).toBe(10_000);
    limiter.spend();
    expect(saved).toEqual([...stored.slice(1), nowMs]);
  });

  it('takes times in the future for now: the clock was set back', () => {
    const limiter = createIdentifyLimiter(
      BUDGET,
      { now: () => 1_000 },
      { read: () => Array<number>(5).fill(9e12), write() {} },
    );
    expect(delayOf(limiter)).toBe(60_000);
  });
});
