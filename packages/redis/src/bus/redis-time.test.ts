import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { RedisTime } from './redis-time.js';

describe('RedisTime', () => {
  it('keeps the measurement with the shortest round trip', async () => {
    const clock = createFakeClock();
    const time = new RedisTime(clock);
    const measure = async (
      redisAheadMs: number,
      thereMs: number,
      backMs: number,
    ): Promise<void> => {
      const sentAtMs = clock.monotonic();
      await clock.advance(thereMs);
      const nowMs = clock.monotonic() + redisAheadMs;
      await clock.advance(backMs);
      time.measure(nowMs, sentAtMs);
    };
    await measure(5_000, 300, 10);
    await measure(5_000, 1, 1);
    await measure(5_000, 10, 300);
    const here = clock.monotonic();
    expect(time.fromMonotonic(here)).toBe(here + 5_000);
    expect(time.toMonotonic(here + 5_000)).toBe(here);

    // The clock of Redis was set.
    await measure(65_000, 1, 1);
    await measure(65_000, 1, 1);
    expect(time.fromMonotonic(here)).toBe(here + 65_000);
  });
});
