import { describe, expect, it } from 'vitest';
import { clockText, simTime } from './sim-time.js';

describe('simTime', () => {
  it('is ahead by the offset, and the same during a pause', () => {
    expect(simTime({ offsetMs: 0, pausedAtMs: null }, 1_000)).toBe(1_000);
    expect(simTime({ offsetMs: 500, pausedAtMs: null }, 1_000)).toBe(1_500);
    expect(simTime({ offsetMs: 500, pausedAtMs: 700 }, 1_000)).toBe(700);
  });
});

describe('clockText', () => {
  it.each([
    [0, null, ''],
    [400, null, ''],
    [5_000, null, 'clock +5 s'],
    [-90_000, null, 'clock −1 min 30 s'],
    [900_000, null, 'clock +15 min'],
    [86_400_000, null, 'clock +1 d'],
    [5_000, 1, 'clock paused'],
  ])('%i ms, paused at %s: %j', (offsetMs, pausedAtMs, text) => {
    expect(clockText({ offsetMs, pausedAtMs })).toBe(text);
  });
});
