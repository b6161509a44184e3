import { describe, expect, it } from 'vitest';
import { formatBytes, formatClock, formatDay, formatDuration, formatWait } from './format.js';

describe('formatWait', () => {
  it.each([
    [881_000, '14 min 41 s'],
    [880_001, '14 min 41 s'],
    [1, '1 s'],
    [-500, '1 s'],
    [62_820_000, '17 h 27 min'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatWait(ms)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [3_000, '3 s'],
    [1_500, '1.5 s'],
    [900_000, '15 min'],
    [250, '250 ms'],
    [12.345, '12.3 ms'],
    [90_500, '1 min 30 s'],
    [90_000_000, '1 d 1 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1434, '1.4 KB'],
    [1024 * 1024 - 1, '1.0 MB'],
    [3 * 1024 ** 3, '3.0 GB'],
    [5000 * 1024 ** 3, '5000.0 GB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatClock', () => {
  it.each([
    [0, 5, '00:05'],
    [9, 0, '09:00'],
    [23, 59, '23:59'],
  ])('writes %d h %d min in 24 hours', (hour, minute, text) => {
    expect(formatClock(new Date(2026, 10, 20, hour, minute).getTime())).toBe(text);
  });
});

describe('formatDay', () => {
  const now = new Date(2026, 10, 20, 0, 30).getTime();

  it('says today and yesterday', () => {
    expect(formatDay(now, now)).toBe('Today');
    expect(formatDay(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('Yesterday');
  });

  it('names any other day', () => {
    expect(formatDay(new Date(2026, 10, 18, 12).getTime(), now)).toBe('Wednesday, November 18');
  });
});
