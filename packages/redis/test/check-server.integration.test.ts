import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { addressOf, checkServer, connectError } from '../src/connection/check-server.js';
import { connect } from '../src/connection/connection.js';
import { openConnection } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';

const withRedis = async (
  settings: readonly string[],
  use: (redis: RedisServer) => Promise<void>,
): Promise<void> => {
  const redis = await startRedis(settings);
  try {
    await use(redis);
  } finally {
    await redis.close();
  }
};

describe('a Redis', () => {
  it('is checked for its version, eviction, and what a crash would lose', () =>
    withRedis(['appendonly yes', 'appendfsync always'], async ({ url, port }) => {
      const warnings: string[] = [];
      const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) };
      const connection = await openConnection(url);
      const address = addressOf(`redis://user:secret@127.0.0.1:${port}/2`);
      expect(address).toBe(`127.0.0.1:${port}/2`);
      const check = (): Promise<void> => checkServer(connection, address, log);
      await check();
      expect(warnings).toEqual([]);

      await connection.call('CONFIG', 'SET', 'appendfsync', 'everysec');
      await check();
      await connection.call('CONFIG', 'SET', 'appendonly', 'no');
      await check();
      expect(warnings).toEqual([
        expect.stringContaining('appendfsync is everysec'),
        expect.stringContaining('appendonly is no'),
      ]);

      await connection.call('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      await expect(check()).rejects.toMatchObject({
        code: 'E_REDIS_UNSUITABLE',
        message: expect.stringContaining('allkeys-lru'),
      });
      const old = { ...connection, call: async () => 'redis_version:6.0.16\r\n' };
      await expect(checkServer(old, address, log)).rejects.toMatchObject({
        code: 'E_REDIS_UNSUITABLE',
        message: expect.stringContaining('6.0.16'),
      });
      connection.close();
    }));

  it('that refuses the login is distinguished from one that is away', () =>
    withRedis(['requirepass right'], async ({ port, kill }) => {
      const reasonsOf = async (user: string): Promise<unknown[]> => {
        const url = `redis://${user}127.0.0.1:${port}`;
        const connection = connect({ url, log: silentLog, purpose: 'test' });
        const error = await connection
          .ready()
          .catch((reason: unknown) => connectError(reason, 'here'));
        const called = await connection.call('GET', 'a').catch(String);
        connection.close();
        return [Object(error).code, called];
      };
      expect(await reasonsOf(':right@')).toEqual([undefined, null]);
      expect(await reasonsOf(':wrong@')).toEqual([
        'E_REDIS_URL',
        expect.stringContaining('no connection to Redis: WRONGPASS'),
      ]);
      expect(await reasonsOf('')).toEqual(['E_REDIS_URL', expect.stringContaining('NOAUTH')]);
      await kill();
      expect(await reasonsOf(':right@')).toEqual([
        'E_REDIS_UNREACHABLE',
        expect.stringContaining('ECONNREFUSED'),
      ]);
    }));

  it('is not what answers as a web server', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const connection = connect({ url, log: silentLog, purpose: 'test' });
    const error = await connection.ready().catch((reason: unknown) => connectError(reason, 'here'));
    connection.close();
    server.close();
    expect(Object(error).message).toBe(
      'Redis at here cannot be reached: what answers is not Redis.',
    );
  });

  it('that crashes fails what was in flight, and is connected again when it is back', () =>
    withRedis(['appendonly yes', 'appendfsync always'], async ({ url, kill, start, freeze }) => {
      const connection = await openConnection(url);
      await connection.call('SET', 'a', 1);
      const reading = connection.call('BLPOP', 'none', 60).catch(String);
      await kill();
      expect(await reading).toMatch(/connection to Redis/);
      expect(connection.isConnected()).toBe(false);
      await expect(connection.call('GET', 'a')).rejects.toThrow(/.+/);
      await start();
      await connection.ready().catch(() => connection.ready());
      expect(await connection.call('GET', 'a')).toBe('1');
      // A server that is silent counts as gone: its socket stays open.
      freeze(true);
      await expect(connection.call('GET', 'a')).rejects.toThrow(/.+/);
      freeze(false);
      connection.close();
    }));

  it('is left once, however often a connection is closed', () =>
    withRedis(['appendonly no'], async ({ url }) => {
      const warnings: Error[] = [];
      const note = (warning: Error): void => void warnings.push(warning);
      process.on('warning', note);
      try {
        const connection = await openConnection(url);
        for (let n = 0; n < 12; n += 1) connection.close();
        // Node.js warns in the next tick.
        await new Promise((resolve) => process.nextTick(resolve));
        expect(warnings).toEqual([]);
      } finally {
        process.off('warning', note);
      }
    }));
});
