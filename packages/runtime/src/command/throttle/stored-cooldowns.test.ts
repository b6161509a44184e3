import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { memory } from '../../storage/memory-storage.js';
import type { StorageDriver } from '../../storage/storage-driver.js';
import { StorageConnection } from '../../storage/storage-connection.js';
import { createMemoryCooldowns } from './cooldown-store.js';
import { createStoredCooldowns } from './stored-cooldowns.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

async function open() {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const driver = await memory().open({ clock, log, root: '' });
  const state = { isFull: false };
  const failing: StorageDriver = {
    ...driver,
    swap: (...entry) =>
      state.isFull ? Promise.reject(new Error('no space left')) : driver.swap(...entry),
  };
  const restart = () => {
    const setting = { name: 'the disk', open: async () => failing };
    const connection = new StorageConnection(setting, { clock, log, root: '' });
    return createStoredCooldowns(connection, clock, log);
  };
  return { clock, log, driver, state, restart, cooldowns: restart() };
}

describe('createStoredCooldowns', () => {
  it('survives a restart', async () => {
    const { clock, cooldowns, restart, driver } = await open();
    expect(await cooldowns.count('daily ada', 1, { everyMs: 86_400_000, limit: 1 })).toBe(0);
    await clock.advance(3_600_000);
    const after = restart();
    expect(await after.count('daily ada', 1, { everyMs: 86_400_000, limit: 1 })).toBe(82_800_000);
    expect(await after.count('daily grace', 1, { everyMs: 86_400_000, limit: 1 })).toBe(0);
    await clock.advance(82_800_000);
    expect(await after.count('daily ada', 1, { everyMs: 86_400_000, limit: 1 })).toBe(0);
    await clock.advance(86_400_000);
    expect(await driver.list({ prefix: '', limit: 10 })).toEqual([]);
  });

  it('lasts no longer than its time when a clock that was ahead is set right', async () => {
    const { clock, cooldowns, restart } = await open();
    clock.shiftWallClock(3 * 3_600_000);
    expect(await cooldowns.count('daily ada', 1, { everyMs: 60_000, limit: 1 })).toBe(0);
    expect(await cooldowns.count('daily grace', 1, { everyMs: 60_000, limit: 2 })).toBe(0);
    clock.shiftWallClock(-3 * 3_600_000);
    expect(await restart().count('daily ada', 1, { everyMs: 60_000, limit: 1 })).toBe(60_000);
    expect(await restart().count('daily grace', 1, { everyMs: 60_000, limit: 2 })).toBe(0);
    await clock.advance(60_000);
    expect(await restart().count('daily grace', 1, { everyMs: 60_000, limit: 2 })).toBe(0);
  });

  it('counts what starts at the same time once each', async () => {
    const { clock, cooldowns } = await open();
    const starting = Promise.all(
      Array.from({ length: 20 }, async () =>
        cooldowns.count('x', 1, { everyMs: 60_000, limit: 5 }),
      ),
    );
    await clock.advance(1_000);
    const left = await starting;
    expect(left.filter((ms) => ms === 0)).toHaveLength(5);
  });

  it('takes any key', async () => {
    const { cooldowns } = await open();
    for (const key of ['', '\u0000\n', 'a'.repeat(10_000), '\uD800', ':'.repeat(300)]) {
      expect(await cooldowns.count(key, 1, { everyMs: 1_000, limit: 1 })).toBe(0);
      expect(await cooldowns.count(key, 1, { everyMs: 1_000, limit: 1 })).toBe(1_000);
    }
  });

  it('is in memory while the storage fails, which is logged once', async () => {
    const { cooldowns, log, state } = await open();
    expect(await cooldowns.count('before', 1, { everyMs: 1_000, limit: 1 })).toBe(0);
    state.isFull = true;
    expect(await cooldowns.count('before', 1, { everyMs: 1_000, limit: 1 })).toBe(1_000);
    expect(await cooldowns.count('x', 1, { everyMs: 1_000, limit: 1 })).toBe(0);
    expect(await cooldowns.count('x', 1, { everyMs: 1_000, limit: 1 })).toBe(1_000);
    expect(log.at('warn')).toEqual(['cannot store cooldowns, counting them in this process only']);
    state.isFull = false;
    expect(await cooldowns.count('x', 1, { everyMs: 1_000, limit: 1 })).toBe(1_000);
    expect(await cooldowns.count('y', 1, { everyMs: 1_000, limit: 1 })).toBe(0);
  });

  it('does as the store in memory', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          do: fc.constantFrom('start' as const, 'start', 'cancel'),
          key: fc.constantFrom('a', 'b'),
          limit: fc.constantFrom(1, 3),
        }),
        fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 400, 999, 1_000) }),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const { clock, cooldowns } = await open();
        const model = createMemoryCooldowns(clock);
        const left: number[] = [];
        const expected: unknown[] = [];
        for (const step of program) {
          if (step.do === 'advance') await clock.advance(step.ms);
          else if (step.do === 'cancel') {
            await cooldowns.count(step.key, -1, { everyMs: 1_000, limit: 1 });
            void model.count(step.key, -1, { everyMs: 1_000, limit: 1 });
          } else {
            const { key, limit } = step;
            left.push(await cooldowns.count(key, 1, { everyMs: 1_000, limit: limit }));
            expected.push(model.count(key, 1, { everyMs: 1_000, limit: limit }));
          }
        }
        expect(left).toEqual(expected);
      }),
      { numRuns: runs(100) },
    );
  });
});
