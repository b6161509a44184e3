import { describe, expect, it } from 'vitest';
import { nextTime, type Timing } from './task.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe.each<[string, Timing]>([
  ['every', { every: HOUR }],
  ['cron', { cron: '0 * * * *', timeZone: 'UTC' }],
])('the timing of %s', (_, timing) => {
  it.each([
    ['the previous run was in time', 10 * HOUR, 10 * HOUR + MINUTE, 11 * HOUR],
    ['runs were missed', 10 * HOUR, 13 * HOUR + MINUTE, 14 * HOUR],
    ['the clock was set back during the previous run', 10 * HOUR, 10 * HOUR - MINUTE, 11 * HOUR],
  ])('is next due an hour after the latest due time, if %s', async (_how, after, now, due) => {
    expect(await nextTime(timing, now, after)).toBe(due);
  });
});
