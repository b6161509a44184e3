import { describe, expect, it } from 'vitest';
import { timeOf } from './message-time.js';

describe('timeOf', () => {
  it('reads offsets, and 0 from what is no time', () => {
    expect(timeOf('2026-11-20T12:00:00+02:00')).toBe(Date.UTC(2026, 10, 20, 10));
    expect(timeOf('')).toBe(0);
  });
});
