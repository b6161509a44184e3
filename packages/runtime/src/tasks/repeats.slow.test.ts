import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@virgule/core/log';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTaskMachine } from '../../test/task-processes.js';
import { sqlite } from '../storage/sqlite-storage.js';
import type { StorageDriver } from '../storage/storage-driver.js';
import { defineTask } from './define-task.js';
import { nextTime } from './task.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

/** Returns the parts of a time in a time zone: minute, hour, day of the month, month and day of the week. */
function partsIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    minute: 'numeric',
    hour: 'numeric',
    day: 'numeric',
    month: 'numeric',
    weekday: 'short',
  });
  return (ms: number): Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', string> =>
    Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value])) as never;
}

/** Expressions as `[minute, hour, day, month, weekday]` with the test of their parts. */
const expressions = fc.record({
  minute: fc.constantFrom(0, 15, 59),
  hour: fc.constantFrom(4, 5, 9, 12, 18, 23),
  weekdays: fc.constantFrom('*', '1-5', '0', '6'),
  zone: fc.constantFrom(...ZONES),
  startMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
});
const WEEKDAYS: Readonly<Record<string, readonly string[]>> = {
  '*': ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  '1-5': ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  '0': ['Sun'],
  '6': ['Sat'],
};

describe('the times of cron expressions', () => {
  it('are those of a walk over the minutes in the time zone', async () => {
    await fc.assert(
      fc.asyncProperty(expressions, async ({ minute, hour, weekdays, zone, startMs }) => {
        const timing = { cron: `${minute} ${hour} * * ${weekdays}`, timeZone: zone };
        const parts = partsIn(zone);
        let walked = Math.floor(startMs / 60_000) * 60_000 + 60_000;
        const fits = (ms: number): boolean => {
          const { minute: m, hour: h, weekday } = parts(ms);
          return (
            Number(m) === minute &&
            Number(h) === hour &&
            WEEKDAYS[weekdays]?.includes(weekday) === true
          );
        };
        while (!fits(walked)) walked += 60_000;
        expect(new Date((await nextTime(timing, startMs)) ?? 0).toISOString()).toBe(
          new Date(walked).toISOString(),
        );
      }),
      { numRuns: 60 },
    );
  });
});

/** Opens an empty SQLite file: a storage in memory sorts its keys after each new one. */
async function openSqlite(): Promise<StorageDriver> {
  const root = await mkdtemp(join(tmpdir(), 'virgule-repeats-'));
  const { clock } = await createTaskMachine();
  const driver = await sqlite({ file: 'bot.db' }).open({ clock, log: silentLog, root });
  onTestFinished(async () => {
    await driver.close();
    await rm(root, { recursive: true, force: true });
  });
  return driver;
}

describe('10,000 repeats', () => {
  it(
    'run on each of seven days, over a change of daylight saving time',
    { timeout: 600_000 },
    async () => {
      const driver = await openSqlite();
      const machine = await createTaskMachine({ isPrivate: true, driver });
      machine.clock.shiftWallClock(Date.parse('2026-03-26T00:00:00Z') - machine.clock.now());
      const runs = new Map<string, number[]>();
      const digest = defineTask({
        concurrency: 100,
        run: ({ runId, dueAt }) => {
          const key = runId.split(':')[2] ?? '';
          runs.set(key, [...(runs.get(key) ?? []), dueAt.getTime()]);
        },
      });
      const process = await machine.start({ digest });
      for (let n = 0; n < 10_000; n += 1) {
        const timeZone = ZONES[n % ZONES.length] ?? 'UTC';
        await process
          .task('digest')
          .cron(`${n % 60} ${(n % 19) + 4} * * *`, undefined, { key: String(n), timeZone });
      }
      await machine.clock.advance(8 * DAY);
      const counts = new Map<number, number>();
      for (const times of runs.values())
        counts.set(times.length, (counts.get(times.length) ?? 0) + 1);
      expect(runs.size).toBe(10_000);
      expect([...counts.keys()].every((count) => count === 7 || count === 8)).toBe(true);
      const hours = [...runs.values()].flatMap((times) =>
        times.slice(1).map((ms, index) => (ms - (times[index] ?? 0)) / HOUR),
      );
      expect(new Set(hours)).toEqual(new Set([23, 24]));
    },
  );
});
