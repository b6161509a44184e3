import { randomUUID } from 'node:crypto';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStorageDriver } from '../../runtime/test/conformance/storage-driver.js';
import { keysOf } from '../src/bus/keys.js';
import { redisStorage } from '../src/redis.js';
import { openConnection } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

const openDriver = (name: string) =>
  redisStorage({ url: redis.url, name }).open({
    clock: systemClock,
    log: silentLog,
    root: '.',
  });

/** Shortens the time to live of every key with a prefix. */
const PASS = `
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local left = redis.call('PTTL', key)
  if left >= 0 then redis.call('PEXPIRE', key, left - ARGV[2]) end
end
`;

describeStorageDriver('Redis', async () => {
  const name = randomUUID();
  const connection = await openConnection(redis.url);
  const driver = await openDriver(name);
  return {
    driver: {
      ...driver,
      async close() {
        connection.close();
        await driver.close();
      },
    },
    async pass(ms) {
      await connection.call('EVAL', PASS, 0, keysOf(name).prefix, ms);
    },
  };
});

describe('the storage in Redis', () => {
  it('keeps what was written, and serves what is asked while Redis restarts', async () => {
    const driver = await openDriver(randomUUID());
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    await driver.set('a', '1', null);
    await redis.kill();
    const reading = Array.from({ length: 20 }, () => driver.get('a'));
    await redis.start();
    expect(await Promise.all(reading)).toEqual(Array.from({ length: 20 }, () => '1'));
    process.off('warning', note);
    // Node.js warns above ten listeners.
    expect(warnings.filter((warning) => warning.includes('ready listeners'))).toEqual([]);
    await driver.close();
  });

  it('lists what follows thousands of entries that have expired, while Redis serves others', async () => {
    const name = randomUUID();
    const driver = await openDriver(name);
    const [one, other] = [await openConnection(redis.url), await openConnection(redis.url)];
    const old = Array.from({ length: 1_000 }, (_, index) => [0, `old${index}`]);
    for (let batch = 0; batch < 300; batch += 1) {
      const members = old.flatMap(([score = 0, member = '']) => [score, `${member} ${batch}`]);
      await one.call('ZADD', `${keysOf(name).prefix}stored`, ...members);
    }
    await driver.set('older', '1', null);
    await driver.set('z', '2', null);
    let served = 0;
    let isListed = false;
    const serve = async (): Promise<void> => {
      for (; !isListed; served += 1) await other.call('PING');
    };
    const serving = serve();
    const listed = await driver.list({ prefix: '', limit: 2 });
    isListed = true;
    await serving;
    expect(listed.map(({ key }) => key)).toEqual(['older', 'z']);
    expect(served).toBeGreaterThan(100);
    for (const connection of [one, other]) connection.close();
    await driver.close();
  });

  it('forgets entries that expire and are never read', async () => {
    const name = randomUUID();
    const driver = await openDriver(name);
    const connection = await openConnection(redis.url);
    for (let index = 0; index < 500; index += 1) await driver.set(`old${index}`, '1', 1);
    await systemClock.sleep(5);
    for (let index = 0; index < 500; index += 1) await driver.set(`new${index % 10}`, '1', null);
    const size = await connection.call('ZCARD', `${keysOf(name).prefix}stored`);
    expect(Number(size)).toBeLessThan(60);
    connection.close();
    await driver.close();
  });
});
