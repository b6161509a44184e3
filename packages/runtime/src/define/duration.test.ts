import { describe, expect, it } from 'vitest';
import { durationMs } from './duration.js';

describe('durationMs', () => {
  it.each([
    ['0s', 0],
    ['250ms', 250],
    ['1.5s', 1_500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('reads %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', '5', 's', '5 s', '-5s', '.5s', '5.s', '5S', '1m30s', '5sec', '1e3s', ' 5s', '5s\n'])(
    'refuses %j',
    (text) => {
      expect(durationMs(text)).toBeUndefined();
    },
  );
});
