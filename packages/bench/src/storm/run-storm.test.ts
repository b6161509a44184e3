import { describe, expect, it } from 'vitest';
import { runStorm } from './run-storm.js';

describe('runStorm', () => {
  it('takes at most 1.1 of the minimum, with one 429 for each window of a channel', async () => {
    const storm = { limit: 5, windowMs: 5_000, channels: 20, messages: 400, seed: 7 };
    const { totalMs, minimumMs, refused } = await runStorm(storm);
    expect(minimumMs).toBe(15_005);
    expect(totalMs / minimumMs).toBeLessThanOrEqual(1.1);
    expect(refused).toBeLessThanOrEqual(20 * 4);
  });
});
