import { randomUUID } from 'node:crypto';
import { createRest } from '@virgule/client/rest';
import { defineEvent, type EventContext, type Events } from '@virgule/runtime';
import { createBot, type BotEvent, type BotListener } from '@virgule/runtime/bot';
import { loadProject, scan } from '@virgule/runtime/project';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { partitionOf } from '../src/bus/keys.js';
import { RedisTime } from '../src/bus/redis-time.js';
import { connect } from '../src/connection/connection.js';
import type { GatewayRoleOptions } from '../src/roles/gateway-role.js';
import { createRedisDriver } from '../src/shared/storage-driver.js';
import { openConnection } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { command, createScaledBot, nameOf, READY, until } from './scaled-bot.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Readings of two clocks differ by half of the time for a reply of Redis, which is long on a busy machine. */
const CLOCK_ERROR_MS = 10_000;

let redis: RedisServer;
let bot: ReturnType<typeof createScaledBot>;
beforeAll(async () => {
  redis = await startRedis();
});
afterEach(() => bot.close());
afterAll(() => redis.close());

/** An event of this time is not too old for anything, however long this machine takes. */
const inAnHour = (): number => systemClock.monotonic() + HOUR_MS;

const start = (): typeof bot => (bot = createScaledBot(redis.url));
const ids = (count: number, prefix = 'i'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const CHANNEL = randomUUID();

/** Returns the listener of a bot with one event handler, which gathers messages for two seconds. */
async function listenerOf(
  run: (context: EventContext<Events['MESSAGE_CREATE']>) => void,
): Promise<BotListener> {
  const file = 'events/message-create.ts';
  const { project } = await loadProject(scan([file]).manifest, {
    importModule: async () => ({ default: defineEvent('MESSAGE_CREATE', run, { burst: '2s' }) }),
  });
  let listener: BotListener | undefined;
  const bot = createBot({
    rest: createRest({ token: 'made-up', baseUrl: 'http://127.0.0.1:9' }),
    project,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    gateway: {
      async connect(given) {
        listener = given;
        return READY;
      },
      close: async () => {},
    },
  });
  await bot.connect();
  if (!listener) throw new Error('not connected');
  return listener;
}

describe('workers', () => {
  it('run each command once, on any of them, with the time of its receipt', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const workers = [await worker('one'), await worker('two')];
    const sentMs = systemClock.monotonic() - HOUR_MS;
    for (const id of ids(100)) platform.emit('APPLICATION_COMMAND', command(id), sentMs);
    const all = () => workers.flatMap(({ events }) => events);
    await until(() => all().length === 100);
    expect(new Set(all().map(nameOf)).size).toBe(100);
    for (const { receivedAtMs } of all())
      expect(Math.abs(receivedAtMs - sentMs)).toBeLessThan(CLOCK_ERROR_MS);
    for (const { statuses } of workers) expect(statuses).toMatchObject([{ state: 'ready' }]);
  });

  it('need no clock that is right: the times are those of Redis', async () => {
    const { gateway, worker } = start();
    const skewed = (ms: number): Clock => ({
      ...systemClock,
      now: () => systemClock.now() + ms,
      monotonic: () => systemClock.monotonic() + ms,
    });
    const clocks = [skewed(-DAY_MS), skewed(DAY_MS)].map((clock) => ({
      clock,
      time: new RedisTime(clock),
    }));
    const { platform } = await gateway('g', clocks[0]);
    await until(() => platform.isOpen);
    const { events } = await worker('w', undefined, clocks[1]);
    const sentMs = systemClock.monotonic();
    platform.emit('APPLICATION_COMMAND', command('i'), sentMs - DAY_MS);
    await until(() => events.length === 1);
    const errorMs = (events[0]?.receivedAtMs ?? 0) - DAY_MS - sentMs;
    expect(Math.abs(errorMs)).toBeLessThan(CLOCK_ERROR_MS);
  });

  it('lose nothing while Redis has no room for more', async () => {
    const { gateway, worker } = start();
    const { platform, bus } = await gateway('g');
    await until(() => platform.isOpen);
    const { events } = await worker('w');
    const admin = connect({ url: redis.url, log: silentLog, purpose: 'test' });
    try {
      await admin.ready();
      const storage = createRedisDriver({
        connection: admin,
        keys: bot.keys,
        clock: systemClock,
      });
      await storage.set('kept', '1', null);
      await admin.call('CONFIG', 'SET', 'maxmemory', 1);
      for (const id of ids(20)) platform.emit('APPLICATION_COMMAND', command(id));
      const full = expect.objectContaining({ code: 'E_STORAGE_FULL' });
      await expect(storage.set('new', '1', null)).rejects.toEqual(full);
      await expect(storage.swap('kept', '1', '2', null)).rejects.toEqual(full);
      expect(await storage.get('kept')).toBe('1');
      await expect(bus.storeReady(READY)).rejects.toThrow('OOM');
      expect(events).toEqual([]);
      await admin.call('CONFIG', 'SET', 'maxmemory', 0);
      await until(() => events.length === 20);
      expect(events.map(nameOf)).toEqual(ids(20));
    } finally {
      await admin.call('CONFIG', 'SET', 'maxmemory', 0);
      admin.close();
    }
  });

  it('run no more commands at a time than they may', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const running: (() => void)[] = [];
    const one = await worker('one', (_, end) => void running.push(end), { concurrency: 3 });
    for (const id of ids(10)) platform.emit('APPLICATION_COMMAND', command(id));
    await until(() => running.length === 3);
    await systemClock.sleep(50);
    expect(one.events).toHaveLength(3);
    while (one.events.length < 10 || running.length > 0) {
      running.shift()?.();
      await systemClock.sleep(1);
    }
    expect(one.events.map(nameOf)).toEqual(ids(10));
  });

  it('get the events of a channel in order, while workers come and go', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const seen = new Map<string, string[]>();
    const handle = (event: { readonly d: unknown }, end: () => void): void => {
      const { channelId } = Object(event.d);
      seen.set(channelId, [...(seen.get(channelId) ?? []), nameOf(event)]);
      end();
    };
    const one = await worker('one', handle);
    const channels = ids(30, 'channel');
    let count = 0;
    const say = (): void => {
      for (const channelId of channels) {
        platform.emit('MESSAGE_CREATE', { id: `${channelId} ${count}`, channelId });
      }
      count += 1;
    };
    for (let n = 0; n < 30; n += 1) say();
    const two = await worker('two', handle);
    const isSeen = (): boolean => channels.every((each) => seen.get(each)?.length === count);
    // It gets its share when the first one has released it.
    await until(() => {
      if (isSeen()) say();
      return two.events.length > 0;
    });
    one.port.drain?.();
    await one.port.close();
    for (let n = 0; n < 30; n += 1) say();
    await until(isSeen);
    for (const channelId of channels) {
      const expected = Array.from({ length: count }, (_, n) => `${channelId} ${n}`);
      expect(seen.get(channelId)).toEqual(expected);
    }
  });

  it('take over the burst of a killed worker, and run it once with all its messages', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const turns: string[] = [];
    const handle = async (name: string): Promise<(event: BotEvent) => void> => {
      const listener = await listenerOf(({ data, skipped }) => {
        turns.push(`${name}: ${[...skipped, data].map(({ content }) => content).join(' ')}`);
      });
      return (event) => listener.dispatch(event);
    };
    const one = await worker('one', await handle('one'));
    for (const content of ids(3, 'm'))
      platform.emit('MESSAGE_CREATE', {
        id: randomUUID(),
        channelId: CHANNEL,
        authorId: CHANNEL,
        content,
      });
    await until(() => one.events.length === 3);
    const two = await worker('two', await handle('two'));
    one.kill();
    await until(() => turns.some((turn) => turn.startsWith('two')));
    expect(two.events).toHaveLength(3);
    expect(turns.filter((turn) => turn.startsWith('two'))).toEqual(['two: m0 m1 m2']);
    await until(() => two.port.counts.running === 0);
  });

  it('take over the commands of one that is killed, and run none twice that has ended', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const one = await worker('one', (event, end) => {
      if (nameOf(event) !== 'i1') end();
    });
    for (const id of ids(3)) platform.emit('APPLICATION_COMMAND', command(id));
    await until(() => one.events.length === 3 && one.port.counts.running === 1);
    const figures = { commands_waiting: 0, commands_begun: 1, dead: 0, running: 1, reclaimed: 0 };
    expect(await one.port.metrics?.()).toMatchObject(figures);
    const two = await worker('two');
    one.kill();
    await until(() => two.events.length === 1);
    expect(two.events).toMatchObject([
      {
        d: { interactionId: 'i1' },
        queued: { to: 'handlers', isDeferred: true, isAgain: true, isInterrupted: false },
      },
    ]);
    expect(two.port.counts.reclaimed).toBe(1);
  });

  it('learn which message a killed worker had begun, so that its command is not run again', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const one = await worker('one', () => {});
    platform.emit('MESSAGE_CREATE', { id: 'begun', channelId: 'a' });
    await until(() => one.events.length === 1);
    const two = await worker('two');
    one.kill();
    await until(() => two.events.length === 1);
    platform.emit('MESSAGE_CREATE', { id: 'new', channelId: 'a' });
    await until(() => two.events.length === 2);
    const again = Object.fromEntries(
      two.events.map((each) => [nameOf(each), each.queued?.isAgain]),
    );
    expect(again).toEqual({ begun: true, new: undefined });
  });

  it('learn that one which was killed had begun to send follow-ups, or the text about that', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    /** Notes a follow-up, as a bot does before it, and never ends. */
    const follow = (event: BotEvent): void => void event.queued?.followingUp?.();
    const one = await worker('one', follow);
    platform.emit('APPLICATION_COMMAND', command('i1'));
    await until(() => one.events.length === 1);
    expect(one.events).toMatchObject([{ queued: { isAgain: undefined, isInterrupted: false } }]);
    await one.events[0]?.queued?.followingUp?.();
    const two = await worker('two', follow);
    one.kill();
    await until(() => two.events.length === 1);
    expect(two.events).toMatchObject([{ queued: { isAgain: true, isInterrupted: true } }]);
    await two.events[0]?.queued?.followingUp?.();
    const three = await worker('three');
    two.kill();
    await until(() => three.port.counts.reclaimed === 1 && three.port.counts.running === 0);
    expect(three.events).toEqual([]);
  });

  it('pass commands on that they do not have to those that do, for a second', async () => {
    const { gateway, worker } = start();
    const { platform, calls } = await gateway('g', {
      defers: () => ({ afterMs: 1_500, isSilent: false }),
    });
    await until(() => platform.isOpen);
    const answered: string[] = [];
    /** A worker of the version before: it does not have /new. */
    const old = (event: BotEvent, end: () => void): void => {
      const { name } = Object(event.d);
      if (name !== 'x' && !event.queued?.passOn?.()) answered.push(nameOf(event));
      end();
    };
    const olds = [await worker('one', old), await worker('two', old)];
    const next = await worker('three');
    // It reads: the others have only a second.
    let count = 0;
    await until(() => {
      platform.emit('APPLICATION_COMMAND', command(`known ${(count += 1)}`), inAnHour());
      return next.events.length > 0;
    });
    const isNew = (event: BotEvent): boolean => Object(event.d).name === 'new';
    // Their second does not end, however long this machine takes.
    for (const id of ids(20))
      platform.emit('APPLICATION_COMMAND', { ...command(id), name: 'new' }, inAnHour());
    await until(() => next.events.filter(isNew).length === 20);
    expect(new Set(next.events.filter(isNew).map(nameOf)).size).toBe(20);
    expect([answered, calls]).toEqual([[], []]);
    platform.emit('APPLICATION_COMMAND', { ...command('nobody'), name: 'nobody' });
    next.port.drain?.();
    await next.port.close();
    await until(() => answered.length === 1);
    expect(answered).toEqual(['nobody']);
    await until(() => olds.every(({ port }) => port.counts.running === 0));
  });

  it('pass commands on at a shutdown, and end those that run', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const running: (() => void)[] = [];
    const one = await worker('one', (_, end) => void running.push(end));
    platform.emit('APPLICATION_COMMAND', command('running'));
    await until(() => running.length === 1);
    one.port.drain?.();
    const two = await worker('two');
    for (const id of ids(20)) platform.emit('APPLICATION_COMMAND', command(id));
    await until(() => two.events.length === 20);
    for (const end of running) end();
    await one.port.close();
    expect(one.events.map(nameOf)).toEqual(['running']);
    expect(two.events.map(nameOf).toSorted()).toEqual(ids(20).toSorted());
    // None was begun.
    expect(two.events.filter(({ queued }) => queued?.isAgain)).toEqual([]);
  });

  it('that were frozen or cut off from Redis lose nothing and run nothing twice', async () => {
    const { gateway, worker } = start();
    const { platform, role } = await gateway('g');
    await until(() => platform.isOpen);
    const one = await worker('one');
    const two = await worker('two');
    const all = () => [...one.events, ...two.events].map(nameOf);
    for (const id of ids(50, 'before')) platform.emit('APPLICATION_COMMAND', command(id));
    await redis.kill();
    for (const id of ids(50, 'during')) platform.emit('APPLICATION_COMMAND', command(id));
    expect((await role.metrics())['outbox_waiting']).toBeGreaterThanOrEqual(50);
    await redis.start();
    for (const id of ids(50, 'after')) platform.emit('APPLICATION_COMMAND', command(id));
    await until(() => new Set(all()).size === 150);
    await systemClock.sleep(300);
    expect(all()).toHaveLength(150);
  });

  it('that wait get the events of their channel from any partition, from the time they began', async () => {
    const { gateway, worker } = start();
    const { platform } = await gateway('g');
    await until(() => platform.isOpen);
    const time = new RedisTime(systemClock);
    const one = await worker('one', undefined, { time });
    const two = await worker('two', undefined, { time });
    const say = (id: string, channelId: string): void =>
      platform.emit('MESSAGE_CREATE', { id, channelId });
    say('earlier', 'a');
    await until(() => one.events.length + two.events.length === 1);
    // By the clock of Redis, which dates the events: on a busy machine, this process knows it only roughly.
    await systemClock.sleep(10);
    const admin = connect({ url: redis.url, log: silentLog, purpose: 'test' });
    await admin.ready();
    const [seconds, microseconds] = (await admin.call('TIME')) as [string, string];
    admin.close();
    await systemClock.sleep(10);
    say('since', 'a');
    say('elsewhere', 'b');
    await until(() => one.events.length + two.events.length === 3);
    const sinceMs = time.toMonotonic(Number(seconds) * 1_000 + Number(microseconds) / 1_000);
    const ends = [one, two].map(({ port }) => port.watch?.('a', sinceMs));
    say('later', 'a');
    for (const { copies } of [one, two]) {
      await until(() => copies.length === 2);
      expect(copies.map(nameOf)).toEqual(['since', 'later']);
    }
    for (const end of ends) end?.();
    say('after', 'a');
    await until(() => one.events.length + two.events.length === 5);
    await systemClock.sleep(150);
    expect([one.copies.length, two.copies.length]).toEqual([2, 2]);
    expect(partitionOf({ channelId: 'a' })).not.toBe(partitionOf({ channelId: 'b' }));
  });
});

describe('a gateway', () => {
  it('defers commands that no worker has begun, and the worker knows', async () => {
    const { gateway, worker } = start();
    const held: (() => void)[] = [];
    let isHeld = false;
    const clock: Clock = {
      ...systemClock,
      setTimeout(callback, delayMs) {
        if (!isHeld) return systemClock.setTimeout(callback, delayMs);
        held.push(callback);
        return { cancel() {} };
      },
    };
    const { platform, calls } = await gateway('g', { clock });
    await until(() => platform.isOpen);
    platform.emit('APPLICATION_COMMAND', command('late'));
    await until(() => calls.length === 1);
    expect(calls).toEqual(['defer late']);
    const one = await worker('one');
    await until(() => one.events.length === 1);
    await systemClock.sleep(250);
    // The gateway looks at it, late, when the worker has begun it.
    isHeld = true;
    platform.emit('APPLICATION_COMMAND', command('soon'), systemClock.monotonic() - 500);
    await until(() => one.events.length === 2);
    expect(held).toHaveLength(1);
    isHeld = false;
    for (const callback of held) callback();
    await systemClock.sleep(250);
    expect(calls).toEqual(['defer late']);
    expect(one.events.map(({ queued }) => queued?.isDeferred)).toEqual([true, false]);
  });

  it('defers commands of a worker that ends before it has deferred them', async () => {
    const { gateway, worker } = start();
    const { platform, calls } = await gateway('g', {
      defers: () => ({ afterMs: 600, isSilent: false }),
    });
    await until(() => platform.isOpen);
    const one = await worker('one', () => {});
    platform.emit('APPLICATION_COMMAND', command('i'));
    await until(() => one.events.length === 1);
    one.kill();
    await until(() => calls.length === 1);
    expect(calls).toEqual(['defer i']);
  });

  it('acknowledges silent commands instead, and leaves those alone that are never deferred', async () => {
    const { gateway } = start();
    const defers = (name: string) => ({ afterMs: name === 'never' ? null : 50, isSilent: true });
    const { platform, calls } = await gateway('g', { defers });
    await until(() => platform.isOpen);
    platform.emit('APPLICATION_COMMAND', { ...command('never'), name: 'never' });
    platform.emit('APPLICATION_COMMAND', command('silent'));
    await until(() => calls.length === 1);
    expect(calls).toEqual(['ack silent']);
  });

  it('is followed by another one when it ends, which reports a gap', async () => {
    const { gateway, worker, keys } = start();
    const first = await gateway('first');
    await until(() => first.platform.isOpen);
    const second = await gateway('second');
    const one = await worker('one');
    expect(second.platform.isOpen).toBe(false);
    const closing = first.role.close();
    // The first one was connected long ago. Stored before it releases its lease, with which the second one connects.
    await first.bus.storeConnected(0);
    await closing;
    await until(() => second.platform.isOpen);
    second.platform.emit('APPLICATION_COMMAND', command('i'));
    await until(() => one.events.length === 1 && one.statuses.length === 2);
    expect(one.statuses[1]).toMatchObject({ state: 'gap', reason: 'no gateway was connected' });
    expect(keys.leader).toContain('{');
  });

  it('is a standby while another one leads, and not closed when it leads again', async () => {
    const { gateway, keys } = start();
    const states: string[] = [];
    const onStatus: GatewayRoleOptions['onStatus'] = ({ state }) => void states.push(state);
    const { platform, role } = await gateway('first', { onStatus });
    await until(() => platform.isOpen);
    expect(await role.metrics()).toMatchObject({ standby: 0 });
    const admin = await openConnection(redis.url);
    await admin.call('SET', keys.leader, 'another', 'PX', '1500');
    admin.close();
    await until(() => !platform.isOpen);
    expect(await role.metrics()).toMatchObject({ standby: 1 });
    await until(() => platform.isOpen);
    expect([states[0], states.at(-1)]).toEqual(['ready', 'ready']);
    expect(states).not.toContain('closed');
  });

  it('of two that are connected delivers each event once', async () => {
    const { gateway, worker } = start();
    const gateways = [
      await gateway('first', { mode: 'live' }),
      await gateway('second', { mode: 'live' }),
    ];
    await until(() => gateways.every(({ platform }) => platform.isOpen));
    const one = await worker('one');
    for (const { platform } of gateways) {
      for (const id of ids(20)) platform.emit('APPLICATION_COMMAND', command(id));
      platform.emit('MESSAGE_CREATE', { id: 'm', channelId: 'a' });
      for (const channelId of ['v', 'w', 'v']) platform.emit('VOICE_STATE_UPDATE', { channelId });
      platform.emit('APPLICATION_COMMAND', command('last'));
    }
    await until(() => one.events.length >= 25);
    await systemClock.sleep(100);
    expect(one.events).toHaveLength(25);
  });

  it('reports what ends its connection permanently', async () => {
    const { gateway } = start();
    const { platform, closed } = await gateway('g');
    await until(() => platform.isOpen);
    const error = Object.assign(new Error('refused'), { code: 'E_UNAUTHORIZED' });
    platform.status({ state: 'closed', error: error as never });
    expect(closed).toEqual([error]);
  });
});
