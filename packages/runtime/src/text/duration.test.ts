import { describe, expect, it } from 'vitest';
import { durationMs, formatDuration } from './duration.js';

describe('durationMs', () => {
  it.each([
    ['0s', 0],
    ['250ms', 250],
    ['1.5s', 1_500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1m30s', 90_000],
    ['5S', 5_000],
    [5_000, 5_000],
    [0, 0],
  ])('reads %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each([
    '',
    '5',
    's',
    '5 s',
    '-5s',
    '.5s',
    '5.s',
    '30s1m',
    '5sec',
    '1e3s',
    ' 5s',
    '5s\n',
    -5,
    NaN,
    Infinity,
    null,
  ])('refuses %j', (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [90_000, '1m30s'],
    [93_784_005, '1d2h3m4s5ms'],
  ])('writes %i ms as %s, which is read as the same', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
    expect(durationMs(text)).toBe(ms);
  });
});
