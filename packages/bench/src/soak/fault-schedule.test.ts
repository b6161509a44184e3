import { describe, expect, it } from 'vitest';
import { FAULT_INTERVAL_MS, faultSchedule } from './fault-schedule.js';
import { FAULTS } from './faults.js';
import { seededRandom } from './seeded-random.js';

const MINUTE_MS = 60_000;

const schedule = (minutes: number, seed: number) =>
  faultSchedule(minutes * MINUTE_MS, seededRandom(seed));

describe('faultSchedule', () => {
  it('has a fault every 10 s, and time to recover at the end', () => {
    const due = schedule(2, 1);
    expect(due.map(({ atMs }) => atMs / FAULT_INTERVAL_MS)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  it('is the same for the same seed only', () => {
    const names = (seed: number): string[] => schedule(5, seed).map(({ fault }) => fault.name);
    expect(names(7)).toEqual(names(7));
    expect(names(7)).not.toEqual(names(8));
  });

  it('has every kind of fault in an hour', () => {
    const names = new Set(schedule(60, 1).map(({ fault }) => fault.name));
    expect(names.size).toBe(FAULTS.length);
  });

  it('leaves the gateway alone long enough for it to be healthy again', () => {
    const struck = schedule(30, 3).filter(({ withGateway }) => withGateway);
    expect(struck.length).toBeGreaterThan(10);
    for (const [index, { atMs }] of struck.entries()) {
      expect(atMs - (struck[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(70_000);
    }
  });
});

describe('FAULTS', () => {
  it('are over before the next one comes', () => {
    for (const { durationMs } of FAULTS) expect(durationMs).toBeLessThan(FAULT_INTERVAL_MS);
  });
});
