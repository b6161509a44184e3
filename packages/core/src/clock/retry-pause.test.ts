import { describe, expect, it } from 'vitest';
import { retryPauseMs } from './retry-pause.js';

describe('retryPauseMs', () => {
  it('doubles from 250 ms to 2 s', () => {
    const pauses = (share: number) =>
      [1, 2, 3, 4, 5, 60, 2_000].map((failures) => retryPauseMs(failures, 60_000, share));
    expect(pauses(1)).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000, 2_000]);
    expect(pauses(0.5)).toEqual([125, 250, 500, 1_000, 1_000, 1_000, 1_000]);
  });

  it('leaves half of the time until the deadline, and ends shortly before it', () => {
    const pauses = [3_000, 1_500, 100, 99].map((leftMs) => retryPauseMs(9, leftMs, 1));
    expect(pauses).toEqual([1_500, 750, 50, undefined]);
  });
});
