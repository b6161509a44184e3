import { describe, expect, it } from 'vitest';
import { reconnectDelayMs } from './backoff.js';

describe('reconnectDelayMs', () => {
  it('grows from half a second to five seconds and stays there', () => {
    const delays = [0, 1, 2, 3, 4, 5, 1000].map(reconnectDelayMs);
    expect(delays).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });
});
