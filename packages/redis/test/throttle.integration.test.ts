import { randomUUID } from 'node:crypto';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { createStoredCooldowns, StorageConnection } from '@virgule/runtime/process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBus } from '../src/bus/bus.js';
import { keysOf } from '../src/bus/keys.js';
import { createSharedSlots } from '../src/shared/shared-slots.js';
import { createRedisDriver } from '../src/shared/storage-driver.js';
import { openConnection } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { until } from './scaled-bot.js';

let redis: RedisServer;
const closing: (() => void)[] = [];
beforeEach(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await redis.close();
});

const { signal } = new AbortController();

/** Opens the stores of several workers of one bot. */
async function openWorkers(...names: readonly string[]) {
  const keys = keysOf(randomUUID());
  const open = async (holder: string) => {
    let runs = 0;
    const opened = await openConnection(redis.url);
    const connection: typeof opened = {
      ...opened,
      run(...args) {
        runs += 1;
        return opened.run(...args);
      },
    };
    const context = { connection, keys, holder, clock: systemClock, log: silentLog };
    const { concurrency, close } = createSharedSlots(context);
    const setting = {
      name: 'Redis',
      open: async () => createRedisDriver({ connection, keys, clock: systemClock }),
    };
    const cooldowns = createStoredCooldowns(
      new StorageConnection(setting, { ...context, root: '' }),
      systemClock,
      silentLog,
    );
    closing.push(close, () => connection.close());
    return {
      bus: createBus(connection, keys, holder),
      acquire: (key: string, wait = false) => concurrency.acquire(key, { max: 1, wait, signal }),
      cool: (key: string, limit = 1, everyMs = 60_000) =>
        cooldowns.count(key, 1, { everyMs, limit }),
      cancel: (key: string) => cooldowns.count(key, -1, { everyMs: 60_000, limit: 1 }),
      /** Returns how many scripts ran since the last time. */
      scripts: () => runs - (runs = 0),
      expire: () => connection.call('ZADD', keys.workers, 1, holder),
      /** Resolves when Redis knows of a slot. */
      async isShared(key: string): Promise<void> {
        while ((await connection.call('SCARD', `${keys.prefix}slots:${key}`)) !== 1);
      },
      isBack: () => until(() => connection.isConnected()),
    };
  };
  const workers = await Promise.all(names.map(open));
  for (const { bus } of workers) await bus.beat(true);
  const [one, two = one] = workers;
  if (!one || !two) throw new Error('no workers');
  return { one, two };
}

describe('a limit on commands at a time', () => {
  it('is free again when a command ended while Redis was away', async () => {
    const { one } = await openWorkers('one');
    const slot = await one.acquire('k');
    await redis.kill();
    slot?.release();
    await redis.start();
    await one.isBack();
    await one.bus.beat(true);
    const next = await one.acquire('k', true);
    expect(next).not.toBeNull();
  });

  it('counts what runs on a worker that has not renewed its lease since Redis was away', async () => {
    const { one, two } = await openWorkers('one', 'two');
    expect(await one.acquire('k')).not.toBeNull();
    await redis.kill();
    await redis.start();
    await Promise.all([one.isBack(), two.isBack()]);
    // It was away for longer than a lease.
    await Promise.all([one.expire(), two.expire()]);
    expect(await two.acquire('k')).toBeNull();
    expect(await two.bus.beat(true)).toMatchObject({ isLate: true });
    expect(await two.acquire('k')).toBeNull();
    // It does not come back.
    await two.bus.beat(true);
    expect(await two.acquire('k')).not.toBeNull();
  });

  it('holds within a worker while Redis is away', async () => {
    const { one } = await openWorkers('one');
    const slot = await one.acquire('k');
    await redis.kill();
    expect(await one.acquire('k')).toBeNull();
    slot?.release();
    expect(await one.acquire('k')).not.toBeNull();
    await redis.start();
  });

  it('counts what began while Redis was away', async () => {
    const { one, two } = await openWorkers('one', 'two');
    await redis.kill();
    const slot = await one.acquire('k');
    expect(slot).not.toBeNull();
    await redis.start();
    await Promise.all([one.isBack(), two.isBack()]);
    expect(await one.acquire('k')).toBeNull();
    await one.isShared('k');
    expect(await two.acquire('k')).toBeNull();
    slot?.release();
    expect(await two.acquire('k', true)).not.toBeNull();
  });
});

describe('a cooldown', () => {
  it('is one step of Redis for each run, however many start at once', async () => {
    const { one, two } = await openWorkers('one', 'two');
    for (const worker of [one, two]) worker.scripts();
    const starts = Array.from({ length: 60 }, async (_, index) =>
      (index % 2 === 0 ? one : two).cool('k', 50),
    );
    const left = await Promise.all(starts);
    expect(left.filter((ms) => ms === 0)).toHaveLength(50);
    expect(Math.max(...left)).toBeGreaterThan(50_000);
    expect(one.scripts() + two.scripts()).toBe(60);
    await one.cancel('k');
    expect(await two.cool('k', 50)).toBe(0);
    expect(await one.cool('k', 50)).toBeGreaterThan(0);
    // One that has ended does not begin below 0.
    await one.cancel('none');
    expect([await one.cool('none'), (await two.cool('none')) > 0]).toEqual([0, true]);
    // After a step back of the clock of Redis, a count lasts longer than its window.
    expect(await two.cool('none', 1, 5_000)).toBeLessThanOrEqual(5_000);
    await expect.poll(() => two.cool('none', 1, 100)).toBe(0);
  });

  it('holds within a worker when Redis goes away, and when it is back', async () => {
    const { one } = await openWorkers('one');
    expect(await one.cool('before')).toBe(0);
    await redis.kill();
    expect(await one.cool('before')).toBeGreaterThan(0);
    expect(await one.cool('meanwhile')).toBe(0);
    await redis.start();
    await one.isBack();
    expect(await one.cool('meanwhile')).toBeGreaterThan(0);
  });
});
