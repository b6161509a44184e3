import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, Delivery } from '../src/bus/bus.js';
import { readDeadEvents } from '../src/bus/dead-events.js';
import { PARTITIONS, partitionOf } from '../src/bus/keys.js';
import { readEntry } from '../src/bus/entry.js';
import { commandEntry, messageEntry, openBuses } from './open-bus.js';
import { startRedis, type RedisServer } from './redis-server.js';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis(['appendonly no']);
});
afterAll(() => redis.close());

/** Returns the ids of the events of deliveries. */
const idsOf = (deliveries: readonly Delivery[]): unknown[] =>
  deliveries.map(({ body }) => {
    const entry = readEntry(body);
    const { interactionId, id } = Object(entry && 'd' in entry ? entry.d : {});
    return interactionId ?? id;
  });

/** Returns what a worker that runs nothing claims. */
const reclaim = async (bus: Bus, partitions: readonly number[] = []) =>
  (await bus.reclaim(partitions, true)).claimed;

const open = async (...holders: readonly string[]) => {
  const opened = await openBuses(redis.url, ...holders);
  const [one, two = one, three = one] = opened.buses;
  if (!one || !two || !three) throw new Error('no holders');
  return { ...opened, one, two, three };
};

describe('the bus', () => {
  it('delivers each command to one worker, and keeps it until it is acknowledged', async () => {
    const { one, two, reader, keys, connection, close } = await open('one', 'two');
    await one.append(
      1,
      ['a', 'b', 'c'].map((id) => commandEntry(id)),
    );
    const first = await one.read(reader, 'commands', 2);
    const second = await two.read(reader, 'commands', 2);
    expect([idsOf(first), idsOf(second)]).toEqual([['a', 'b'], ['c']]);
    await one.acknowledge(first);
    expect(await connection.call('XLEN', keys.commands)).toBe(1);
    close();
  });

  it('appends a batch that is sent again only once, and a command of two gateways too', async () => {
    const { one, two, close } = await open('one', 'two');
    const batch = [commandEntry('a'), { t: 'VOICE_STATE_UPDATE', d: {}, atMs: 1 }];
    expect(await one.append(1, batch)).toBe(2);
    expect(await one.append(1, batch)).toBe(0);
    expect(await one.append(3, [commandEntry('a'), messageEntry('m')])).toBe(1);
    expect(await two.append(1, [commandEntry('a'), commandEntry('b'), messageEntry('m')])).toBe(1);
    close();
  });

  it('keeps the events of a channel in one partition, in order', async () => {
    const { one, reader, close } = await open('one');
    const ids = ['1', '2', '3', '4', '5'];
    await one.append(
      1,
      ids.flatMap((id) => [messageEntry(id, 'a'), messageEntry(`other ${id}`, 'b')]),
    );
    const partition = partitionOf({ channelId: 'a' });
    expect(partition).not.toBe(partitionOf({ channelId: 'b' }));
    expect(idsOf(await one.read(reader, [partition], 100))).toEqual(ids);
    close();
  });

  it('shares the partitions between the workers, and passes on those of one that leaves', async () => {
    const { one, two, close } = await open('one', 'two');
    expect((await one.beat(true)).partitions).toHaveLength(PARTITIONS);
    expect(await two.beat(true)).toMatchObject({ share: 8, partitions: [] });
    for (let partition = 0; partition < 8; partition += 1) await one.release(partition);
    expect((await two.beat(true)).partitions).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await one.beat(true, true)).toMatchObject({ share: 0 });
    expect(await two.beat(true)).toMatchObject({ share: PARTITIONS });
    await one.leave();
    expect((await two.beat(true)).partitions).toHaveLength(PARTITIONS);
    close();
  });

  it('takes partitions from a worker that is gone only if it may', async () => {
    const { one, two, expire, close } = await open('one', 'two');
    await one.beat(true);
    await expire('one');
    expect((await two.beat(false)).partitions).toEqual([]);
    expect((await two.beat(true)).partitions).toHaveLength(PARTITIONS);
    close();
  });

  it('takes nothing from others when its own lease is late: Redis may have been away for all', async () => {
    const { one, two, expire, close } = await open('one', 'two');
    await one.beat(true);
    expect(await two.beat(true)).toMatchObject({ isLate: true });
    await expire('one');
    await expire('two');
    expect(await two.beat(true)).toMatchObject({ isLate: true, partitions: [] });
    expect((await two.beat(true)).partitions).toHaveLength(PARTITIONS);
    close();
  });

  it('claims the entries of a worker that is gone, each by one, and not those of a live one', async () => {
    const { one, two, three, reader, keys, connection, expire, close } = await open(
      'one',
      'two',
      'three',
    );
    await one.append(
      1,
      ['a', 'b'].map((id) => commandEntry(id)),
    );
    await one.beat(true);
    await one.read(reader, 'commands', 10);
    await two.beat(true);
    await three.beat(true);
    expect(await reclaim(two)).toEqual([]);
    await expire('one');
    expect(await reclaim(two)).toEqual([]);
    // It is removed now.
    await two.beat(true);
    const [mine, others] = await Promise.all([reclaim(two), reclaim(three)]);
    expect(new Set([...idsOf(mine), ...idsOf(others)])).toEqual(new Set(['a', 'b']));
    expect(mine.length + others.length).toBe(2);
    expect(mine.concat(others).map(({ deliveries }) => deliveries)).toEqual([2, 2]);
    const consumers = await connection.call('XINFO', 'CONSUMERS', keys.commands, 'workers');
    expect(JSON.stringify(consumers)).not.toContain('one');
    close();
  });

  it('moves an entry that ended three workers to the dead ones when its user has a text', async () => {
    const { one, two, three, reader, keys, connection, close } = await open('one', 'two', 'three');
    await one.append(1, [commandEntry('a'), commandEntry('b')]);
    await one.acknowledge((await one.read(reader, 'commands', 10)).slice(1));
    expect(await reclaim(two)).toMatchObject([{ deliveries: 2 }]);
    expect(await reclaim(three)).toMatchObject([{ deliveries: 3 }]);
    expect(await reclaim(one)).toMatchObject([{ deliveries: 4, stream: keys.commands }]);
    expect(await reclaim(one)).toEqual([]);
    // Its worker has ended before its user had a text, or got no reply.
    const dying = await reclaim(two);
    expect(dying).toMatchObject([{ deliveries: 5 }]);
    expect(await two.readAgain(reader, 'commands')).toEqual(dying);
    await Promise.all([one.acknowledge(dying), two.acknowledge(dying)]);
    expect(await reclaim(one)).toEqual([]);
    expect(await connection.call('XLEN', keys.commands)).toBe(0);
    const [event, ...others] = await readDeadEvents(connection, keys, 1e15, 10);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      deliveries: 4,
      event: { t: 'APPLICATION_COMMAND', d: { interactionId: 'a' } },
    });
    // Nothing could answer it any more.
    const [old] = await readDeadEvents(connection, keys, 1_000, 10);
    expect(await old?.retry()).toBe('too-old');
    expect(await event?.retry()).toBe(event?.id);
    const replayed = await one.read(reader, 'commands', 10);
    expect(idsOf(replayed)).toEqual(['a']);
    expect(JSON.parse(replayed[0]?.body ?? '')).toMatchObject({ isAgain: true });
    expect([await event?.retry(), await event?.drop()]).toEqual([undefined, false]);
    close();
  });

  it.each([
    ['before', ['old', 'new']],
    ['after', ['new', 'old']],
  ])('delivers an entry for the last time alone, %s one that is not', async (_, order) => {
    const { one, two, reader, close } = await open('one', 'two');
    for (const [index, id] of order.entries()) await one.append(index + 1, [commandEntry(id)]);
    const read = await one.read(reader, 'commands', 10);
    // As a worker that is gone has them.
    for (const [index, id] of order.entries()) {
      const claim = ['XCLAIM', read[0]?.stream ?? '', 'workers', 'gone', 0] as const;
      await reader.call(...claim, read[index]?.id ?? '', 'RETRYCOUNT', id === 'old' ? 2 : 1);
    }
    const { claimed, isAwaited } = await two.reclaim([], true);
    expect([idsOf(claimed), isAwaited]).toEqual([order.slice(0, 1), order[0] === 'new']);
    expect(idsOf(await reclaim(two))).toEqual(order.slice(1));
    close();
  });

  it('lets one worker run what runs alone, when it runs nothing else; the others continue', async () => {
    const { one, two, three, reader, close } = await open('b', 'a', 'c');
    for (const bus of [one, two, three]) await bus.beat(true);
    await one.append(
      1,
      ['a', 'b', 'c'].map((id) => commandEntry(id)),
    );
    const entries = await one.read(reader, 'commands', 10);
    for (const { stream, id } of entries)
      await reader.call('XCLAIM', stream, 'workers', 'gone', 0, id, 'RETRYCOUNT', 2);
    const nothing = { claimed: [], isAwaited: false };
    expect([await one.reclaim([], true), await three.reclaim([], true)]).toEqual([
      nothing,
      nothing,
    ]);
    expect(await two.reclaim([], false)).toEqual({ claimed: [], isAwaited: true });
    expect(idsOf(await reclaim(two))).toEqual(['a']);
    // It takes nothing new, so another one does.
    await two.beat(true, true);
    expect(idsOf(await reclaim(three))).toEqual([]);
    expect(idsOf(await reclaim(one))).toEqual(['b']);
    close();
  });

  it('knows whether a worker has had a command alone', async () => {
    const { one, two, reader, connection, keys, close } = await open('one', 'two');
    await one.append(1, [commandEntry('a')]);
    const [first] = await one.read(reader, 'commands', 10);
    if (!first) throw new Error('none');
    expect(await one.isOwn(first, 'a')).toBe(true);
    const [second] = await reclaim(two);
    expect(await one.isOwn(first, 'a')).toBe(false);
    // It came back.
    await reclaim(one);
    expect(await one.isOwn(first, 'a')).toBeUndefined();
    if (second) await two.acknowledge([second]);
    expect(await one.isOwn(first, 'a')).toBe(false);
    // Redis lost its data.
    await connection.call('DEL', `${keys.prefix}seen:a`);
    expect(await one.isOwn(first, 'a')).toBeUndefined();
    close();
  });

  it('does not count a delivery that was passed on', async () => {
    const { one, two, reader, close } = await open('one', 'two');
    await one.append(1, [commandEntry('a')]);
    for (const delivery of await one.read(reader, 'commands', 10)) await one.passOn(delivery);
    for (let count = 0; count < 5; count += 1)
      for (const delivery of await reclaim(two)) await two.passOn(delivery);
    expect(await reclaim(two)).toMatchObject([{ deliveries: 1, progress: undefined }]);
    for (const delivery of await reclaim(one)) await one.passOn(delivery);
    expect(await reclaim(two)).toMatchObject([{ deliveries: 2, progress: 'answer' }]);
    close();
  });

  it('counts no delivery when a worker reads its own entries again', async () => {
    const { one, two, reader, close } = await open('one', 'two');
    const partition = partitionOf({ channelId: 'a' });
    await one.append(1, [commandEntry('a'), messageEntry('m')]);
    await one.read(reader, 'commands', 10);
    await one.read(reader, [partition], 10);
    for (let count = 0; count < 5; count += 1) {
      expect(await one.readAgain(reader, 'commands')).toMatchObject([{ deliveries: 1 }]);
      expect(idsOf(await one.readAgain(reader, [partition]))).toEqual(['m']);
    }
    const claimed = await reclaim(two, [partition]);
    expect(claimed.map(({ deliveries }) => deliveries)).toEqual([2, 2]);
    // The reply of the claim may have been lost.
    expect(await two.readAgain(reader, 'commands')).toMatchObject([{ deliveries: 2 }]);
    const progress = async () => (await two.readAgain(reader, 'commands'))[0]?.progress;
    expect(await progress()).toBe('answer');
    for (const next of ['follow-up', 'interruption']) {
      const [delivery] = await two.readAgain(reader, 'commands');
      if (delivery) await two.noteFollowUps(delivery);
      expect(await progress()).toBe(next);
    }
    close();
  });

  it('leaves an entry of a newer version to workers that know it', async () => {
    const { one, two, reader, keys, connection, close } = await open('one', 'two');
    await connection.call('XADD', keys.commands, '*', 'v', 2, 'e', '{}');
    const [entry] = await one.read(reader, 'commands', 1);
    expect(entry?.version).toBe(2);
    if (entry) await one.passOn(entry);
    await one.leave();
    expect(await reclaim(two)).toEqual([]);
    const pending = await connection.call('XPENDING', keys.commands, 'workers', '-', '+', 1);
    expect(pending).toEqual([[entry?.id, 'v2', expect.any(Number), 0]]);
    // None has come for 15 minutes.
    const { id = '' } = entry ?? {};
    const args = [keys.commands, 'workers', 'v2', 0, id, 'IDLE', 901_000, 'JUSTID'];
    await connection.call('XCLAIM', ...args);
    const dying = await reclaim(two);
    expect(dying).toMatchObject([{ id, deliveries: 4 }]);
    await two.acknowledge(dying);
    expect(await readDeadEvents(connection, keys, 1, 10)).toHaveLength(1);
    expect(await connection.call('XLEN', keys.commands)).toBe(0);
    close();
  });

  it('counts the events that no worker has read, and those that are no longer there', async () => {
    const { one, reader, keys, connection, close } = await open('one');
    const partition = partitionOf({ channelId: 'a' });
    expect(await one.unreadEvents()).toEqual({ waiting: 0, lost: 0 });
    await one.append(
      1,
      ['a', 'b', 'c', 'd', 'e'].map((id) => messageEntry(id)),
    );
    await one.read(reader, [partition], 2);
    expect(await one.unreadEvents()).toEqual({ waiting: 3, lost: 0 });
    await connection.call('XTRIM', keys.events[partition] ?? '', 'MAXLEN', 1);
    expect(await one.unreadEvents()).toEqual({ waiting: 1, lost: 2 });
    expect(await one.figures()).toMatchObject({ commands_waiting: 0, events_waiting: 1 });
    await one.read(reader, [partition], 2);
    expect(await one.unreadEvents()).toEqual({ waiting: 0, lost: 0 });
    close();
  });

  it('marks commands as deferred that no worker has begun, and no others', async () => {
    const { one, two, reader, expire, close } = await open('one', 'two');
    await one.append(
      1,
      ['ended', 'running', 'lost', 'waiting'].map((id) => commandEntry(id)),
    );
    await one.beat(true);
    await two.beat(true);
    await one.acknowledge((await one.read(reader, 'commands', 2)).slice(0, 1));
    await two.read(reader, 'commands', 1);
    await expire('two');
    const states = ['ended', 'running', 'lost', 'waiting', 'unsent'].map((id) =>
      one.markIfLate(id),
    );
    expect(await Promise.all(states)).toEqual(['ended', 'running', 'late', 'late', 'late']);
    expect(await one.isDeferred('waiting')).toBe(true);
    expect(await one.isDeferred('running')).toBe(false);
    close();
  });

  it('has one leader, until its lease ends or it is released', async () => {
    const { one, two, close } = await open('one', 'two');
    const isLeading = async (bus: typeof one): Promise<boolean> =>
      (await bus.acquire('leader', 60_000)).isHeld;
    expect([await isLeading(one), await isLeading(two), await isLeading(one)]).toEqual([
      true,
      false,
      true,
    ]);
    await two.unlease('leader');
    expect(await isLeading(two)).toBe(false);
    await one.unlease('leader');
    expect([await isLeading(two), await isLeading(one)]).toEqual([true, false]);
    // After a step back of the clock of Redis, a lease lasts longer than any that is asked for. Its holder may be alive.
    expect((await one.acquire('alone', 3_600_000)).isHeld).toBe(true);
    expect((await two.acquire('alone', 100)).isHeld).toBe(false);
    await expect.poll(async () => (await two.acquire('alone', 100)).isHeld).toBe(true);
    close();
  });

  it('counts the events that were dropped before any worker read one', async () => {
    const { buses, connection, keys, close } = await openBuses(redis.url, 'one');
    for (let number = 1; number <= 5; number += 1)
      await buses[0]?.append(number, [messageEntry(`${number}`)]);
    for (const stream of keys.events) await connection.call('XTRIM', stream, 'MAXLEN', 2);
    expect(await buses[0]?.unreadEvents()).toEqual({ waiting: 2, lost: 3 });
    close();
  });
});
