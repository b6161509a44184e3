import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from '../src/bus/keys.js';
import { connect } from '../src/connection/connection.js';
import { redis as openRedis } from '../src/redis.js';
import { openBuses, openConnection } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { command, createScaledBot, nameOf, until } from './scaled-bot.js';

let redis: RedisServer;
let bot: ReturnType<typeof createScaledBot>;
beforeAll(async () => {
  redis = await startRedis();
});
afterEach(() => bot?.close());
afterAll(() => redis.close());

const start = (): typeof bot => (bot = createScaledBot(redis.url));
const ids = (count: number, prefix = 'i'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const signal = new AbortController().signal;

describe('a gateway', () => {
  it('lets workers start after Redis lost its data', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const admin = await openConnection(redis.url);
    await admin.call('FLUSHALL');
    admin.close();
    const one = await worker('one');
    platform.emit('APPLICATION_COMMAND', command('i'));
    await until(() => one.events.length === 1);
    expect(one.events.map(nameOf)).toEqual(['i']);
  });

  it('reports its own figures while Redis is away', async () => {
    const server = await startRedis(['appendonly no']);
    const scaled = createScaledBot(server.url);
    try {
      const { role, platform } = await scaled.gateway('g');
      await until(() => platform.isOpen);
      await server.kill();
      platform.emit('APPLICATION_COMMAND', command('i'));
      await expect
        .poll(() => role.metrics(), { timeout: 60_000 })
        .toEqual({ outbox_waiting: 1, outbox_dropped: 0, standby: 0 });
    } finally {
      await server.start();
      await scaled.close();
      await server.close();
    }
  });

  it('stores what a gateway that was killed while Redis was away received too', async () => {
    const server = await startRedis();
    const scaled = createScaledBot(server.url);
    try {
      const one = await scaled.gateway('one', { mode: 'live' });
      const other = await scaled.gateway('other', { mode: 'live' });
      await until(() => one.platform.isOpen && other.platform.isOpen);
      const { events } = await scaled.worker('worker');
      await server.kill();
      for (const id of ids(150)) {
        one.platform.emit('APPLICATION_COMMAND', command(id));
        other.platform.emit('APPLICATION_COMMAND', command(id));
      }
      one.kill();
      await server.start();
      await until(() => events.length === 150);
      expect(events.map(nameOf)).toEqual(ids(150));
    } finally {
      await scaled.close();
      await server.close();
    }
  });

  it('logs why it cannot lead', async () => {
    const warnings: string[] = [];
    const server = await startRedis(['appendonly no']);
    const admin = await openConnection(server.url);
    await admin.call('ACL', 'SETUSER', 'default', '-eval');
    admin.close();
    const log: Log = {
      ...silentLog,
      warn: (fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    };
    const scaled = createScaledBot(server.url, log);
    try {
      const { platform } = await scaled.gateway('g');
      await until(() => warnings.length > 0);
      expect(platform.isOpen).toBe(false);
      expect(warnings).toEqual([expect.stringContaining('eval')]);
    } finally {
      await scaled.close();
      await server.close();
    }
  });
});

describe('a process that starts', () => {
  const open = async (name: string, lines: unknown[] = []) => {
    const clock = createFakeClock();
    const admin = await openConnection(redis.url);
    const scaled = await openRedis({ url: redis.url, name }).open({
      env: {},
      applicationId: 'a',
      maxAgeMs: 1,
      clock,
      log: { ...silentLog, info: (fields, message) => void lines.push([fields, message]) },
      wait: false,
      signal,
      hide: () => {},
    });
    const close = async (): Promise<void> => {
      await scaled.close();
      admin.close();
    };
    return { clock, admin, scaled, alone: keysOf(name).alone, close };
  };

  it('logs that it waits for one that compares the registered commands', async () => {
    const lines: unknown[] = [];
    const { clock, admin, scaled, alone, close } = await open('waits', lines);
    await admin.call('SET', alone, 'another one');
    const task = scaled.alone(async () => 'done');
    await until(() => lines.length > 0);
    await admin.call('DEL', alone);
    await clock.advance(250);
    expect(await task).toBe('done');
    expect(lines).toEqual([
      [{ reason: 'another process compares them' }, 'waiting to compare the registered commands'],
    ]);
    await close();
  });

  it('waits for a Redis that is away if it is to, and else names it', async () => {
    const server = await startRedis(['appendonly no']);
    const warnings: string[] = [];
    const openWith = (wait: boolean) =>
      openRedis({ url: server.url, name: 'waits' }).open({
        env: {},
        applicationId: 'a',
        maxAgeMs: 1,
        clock: systemClock,
        log: { ...silentLog, warn: (_, message) => void warnings.push(message) },
        wait,
        signal,
        hide: () => {},
      });
    try {
      await server.kill();
      await expect(openWith(false)).rejects.toMatchObject({ code: 'E_REDIS_UNREACHABLE' });
      const opening = openWith(true);
      await until(() => warnings.includes('waiting for Redis'));
      await server.start();
      await (await opening).close();
      expect(warnings.filter((line) => line === 'waiting for Redis')).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  it('holds others up for 5 seconds if it is killed, and as long as it takes if not', async () => {
    const { clock, admin, scaled, alone, close } = await open('killed');
    const leftMs = async (): Promise<number> => Number(await admin.call('PTTL', alone));
    await scaled.alone(async () => {
      expect(await leftMs()).toBeLessThanOrEqual(5_000);
      await admin.call('PEXPIRE', alone, 1_000);
      await clock.advance(2_000);
      while ((await leftMs()) < 1_000);
    });
    await clock.advance(10_000);
    expect(await leftMs()).toBe(-2);
    await close();
  });
});

describe('workers', () => {
  it('continue to read commands and events after Redis lost its data', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const one = await worker('one');
    platform.emit('MESSAGE_CREATE', { id: 'before', channelId: 'a' });
    await until(() => one.events.length === 1);
    const admin = await openConnection(redis.url);
    await admin.call('FLUSHALL');
    admin.close();
    platform.emit('APPLICATION_COMMAND', command('after'));
    platform.emit('MESSAGE_CREATE', { id: 'later', channelId: 'a' });
    await until(() => one.events.length === 3);
    expect(one.events.map(nameOf).toSorted()).toEqual(['after', 'before', 'later']);
  });

  it('end what waits when Redis is full: it has room again then', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const running: (() => void)[] = [];
    const one = await worker('one', (_, end) => void running.push(end), { concurrency: 1 });
    for (const id of ids(5)) platform.emit('APPLICATION_COMMAND', command(id));
    await until(() => running.length === 1);
    const admin = await openConnection(redis.url);
    await admin.call('CONFIG', 'SET', 'maxmemory', 1);
    try {
      // Longer than its lease.
      await systemClock.sleep(2_000);
      await until(() => {
        running.shift()?.();
        return one.events.length === 5;
      });
      expect(one.events.map(nameOf)).toEqual(ids(5));
    } finally {
      await admin.call('CONFIG', 'SET', 'maxmemory', 0);
      admin.close();
    }
  });

  it('start while Redis is full, which they log, and another gateway takes over', async () => {
    const lines: string[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void lines.push(`${level}: ${message}; ${Object(fields).error}`);
    const log = { ...silentLog, warn: write('warn'), error: write('error') };
    const { gateway, worker } = (bot = createScaledBot(redis.url, log));
    const first = await gateway('g');
    await until(() => first.platform.isOpen);
    await worker('earlier');
    for (const id of ids(3)) first.platform.emit('APPLICATION_COMMAND', command(id));
    const admin = await openConnection(redis.url);
    await admin.call('CONFIG', 'SET', 'maxmemory', 1);
    try {
      const one = await worker('one');
      await until(() => one.port.health().isReady);
      await first.role.close();
      const second = await gateway('h');
      await until(() => second.platform.isOpen);
      second.platform.emit('APPLICATION_COMMAND', command('later'));
      const why = 'Redis is full: raise its maxmemory (OOM';
      await until(() => lines.some((line) => line.startsWith('error: events cannot')));
      await until(() => lines.some((line) => line.startsWith('warn: cannot store')));
      // Once each, however often it is refused.
      await expect
        .poll(async () => (await second.role.metrics())['outbox_waiting'], { timeout: 60_000 })
        .toBeGreaterThan(0);
      expect(lines.map((line) => line.slice(0, line.indexOf('OOM') + 3))).toEqual([
        `warn: cannot store that this gateway is connected; ${why}`,
        `error: events cannot be sent to Redis; they are kept in memory; ${why}`,
      ]);
    } finally {
      await admin.call('CONFIG', 'SET', 'maxmemory', 0);
      admin.close();
    }
  });

  it('that ended before the clock of Redis was set back are found', async () => {
    const { buses, reader, connection, keys, close } = await openBuses(redis.url, 'one', 'two');
    const [one, two] = buses;
    if (!one || !two) throw new Error('none');
    await one.append(1, [{ t: 'APPLICATION_COMMAND', d: command('a'), atMs: 1 }]);
    await two.beat(true);
    await one.beat(true);
    await one.read(reader, 'commands', 1);
    await connection.call('ZADD', keys.workers, systemClock.now() + 3_600_000, 'one');
    expect(await two.beat(true)).toMatchObject({ isLate: true });
    // One that lives renews its lease now; this one does not.
    const aliveMs = Number(await connection.call('ZSCORE', keys.workers, 'one'));
    expect(aliveMs).toBeLessThanOrEqual(systemClock.now());
    await connection.call('ZADD', keys.workers, aliveMs - 2_000, 'one');
    expect(await two.beat(true)).toMatchObject({ isLate: false });
    expect((await two.reclaim([], true)).claimed).toHaveLength(1);
    close();
  });
});

describe('a connection', () => {
  it('leaves a Redis that became a replica', async () => {
    const other = await startRedis(['appendonly no']);
    const lost: string[] = [];
    const log: Log = { ...silentLog, warn: (_, message) => void lost.push(message) };
    const connection = connect({ url: other.url, log, purpose: 'test' });
    try {
      await connection.ready();
      await connection.call('REPLICAOF', '127.0.0.1', 1);
      await expect(connection.call('SET', 'a', 1)).rejects.toThrow('READONLY');
      await until(() => lost.length > 0);
    } finally {
      connection.close();
      await other.close();
    }
  });

  it.each([
    ['closes each connection', (socket: Socket) => void socket.destroy()],
    ['answers nothing', () => {}],
    ['is no Redis', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('to a server that %s fails', async (_, accept) => {
    const server = createServer(accept).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = connect({
      url: `redis://127.0.0.1:${port}`,
      log: silentLog,
      purpose: 'test',
    });
    try {
      await expect(connection.ready()).rejects.toBeInstanceOf(Error);
    } finally {
      connection.close();
      server.close();
    }
  });
});
