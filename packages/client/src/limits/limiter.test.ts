import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.js';

describe('createLimiter', () => {
  it('holds nothing back before a pause, and nothing after it', async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock);
    expect(limiter.delayMs('a')).toBe(0);
    limiter.pause('a', 2_000);
    expect(limiter.delayMs('a')).toBe(2_000);
    expect(limiter.delayMs('b')).toBe(0);
    await clock.advance(1_999);
    expect(limiter.delayMs('a')).toBe(1);
    await clock.advance(1);
    expect(limiter.delayMs('a')).toBe(0);
  });

  it('keeps the longer of two pauses', () => {
    const limiter = createLimiter(createFakeClock());
    limiter.pause('a', 5_000);
    limiter.pause('a', 1_000);
    expect(limiter.delayMs('a')).toBe(5_000);
    limiter.pause('a', 9_000);
    expect(limiter.delayMs('a')).toBe(9_000);
  });

  it('keeps its pauses when thousands of others are over', async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock);
    limiter.pause('long', 60_000);
    for (let index = 0; index < 3_000; index += 1) limiter.pause(`short ${index}`, 1);
    await clock.advance(1);
    limiter.pause('last', 1_000);
    expect(limiter.delayMs('long')).toBe(59_999);
    expect(limiter.delayMs('last')).toBe(1_000);
    expect(limiter.delayMs('short 7')).toBe(0);
  });
});
