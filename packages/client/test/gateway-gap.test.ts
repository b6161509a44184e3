import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  connectWithBackfill,
  created,
  deleted,
  message,
  OTHER_CHANNEL,
  logged,
} from './backfill-gateway.js';
import { ACK, COMMAND, connectGateway, makeReady } from './test-gateway.js';
import { CHANNEL } from './test-rest.js';

describe('a gap', () => {
  it('is reported with its length, its reason and what is lost, before READY', async () => {
    const test = connectGateway({ intents: ['APPLICATION_COMMANDS', 'SERVER_MESSAGES'] });
    makeReady(test);
    await test.clock.advance(7_000);
    test.sockets.last.frame(COMMAND);
    await test.clock.advance(1_000);
    test.sockets.last.fail(new Error('read ECONNRESET'));
    await test.clock.advance(500);
    makeReady(test);
    expect(test.statuses.slice(2)).toMatchObject([
      {
        state: 'gap',
        // From the last frame on: what came between it and the reset may be lost.
        from: '2026-01-01T00:00:07.000Z',
        to: '2026-01-01T00:00:08.500Z',
        ms: 1_500,
        reason: 'read ECONNRESET',
        unrecoverable: [
          'MESSAGE_CREATE',
          'MESSAGE_UPDATE',
          'MESSAGE_DELETE',
          'APPLICATION_COMMAND',
        ],
      },
      { state: 'ready', reconnected: true },
    ]);
    expect(test.gateway.counts.gaps).toBe(1);
  });

  it('counts the time in which the machine slept, which a monotonic clock may not', async () => {
    const fake = createFakeClock();
    let sleptMs = 0;
    const clock = { ...fake, now: () => fake.now() + sleptMs };
    const test = connectWithBackfill(undefined, { clock });
    await fake.advance(5_000);
    test.sockets.last.frame(COMMAND);
    // The connection is found dead when the machine wakes up.
    sleptMs = 600_000;
    await fake.advance(115);
    test.sockets.last.hangUp(1006);
    await fake.advance(500);
    makeReady(test);
    const gap = test.statuses.find(({ state }) => state === 'gap');
    expect(gap).toMatchObject({
      from: '2026-01-01T00:00:05.000Z',
      to: '2026-01-01T00:10:05.615Z',
      ms: 600_615,
    });
    // Nothing was seen in the channel: what was written while it slept is read back by that time.
    await test.answer([message('asleep', 300), message('before', -120)]);
    expect(logged(test)).toEqual(['command', 'asleep*']);
  });

  it.each([
    ['the process was stopped', (clock: FakeClock) => clock.stall(150_000)],
    ['its timers come first', (clock: FakeClock) => clock.stall(150_000, { fireTimers: true })],
    ['the machine slept', (clock: FakeClock) => clock.shiftWallClock(150_000)],
  ])('begins before a suspend, whatever waited in the socket: %s', async (_how, suspend) => {
    const clock = createFakeClock();
    const test = connectWithBackfill(undefined, { clock });
    await clock.advance(5_000);
    test.sockets.last.frame(COMMAND);
    await clock.advance(1_000);
    suspend(clock);
    test.sockets.last.frame(created(message('waited', 7, OTHER_CHANNEL)));
    test.sockets.last.frame(ACK);
    await Promise.resolve();
    test.sockets.last.hangUp(1001);
    await clock.advance(500);
    makeReady(test);
    expect(test.statuses.find(({ state }) => state === 'gap')).toMatchObject({
      from: '2026-01-01T00:00:05.000Z',
      to: '2026-01-01T00:02:36.500Z',
      ms: 151_500,
    });
    await test.answer([message('asleep', 60), message('before', -120)]);
    expect(logged(test)).toEqual(['command', 'waited', 'asleep*']);
  });

  it('begins with the last frame again once a suspended connection is up to date', async () => {
    const test = connectGateway();
    makeReady(test);
    test.clock.stall(60_000, { fireTimers: true });
    test.sockets.last.frame(ACK);
    await test.clock.advance(2_000);
    test.sockets.last.frame(COMMAND);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    expect(test.statuses).toContainEqual(expect.objectContaining({ state: 'gap', ms: 500 }));
  });

  it('begins with the close frame when there is one', async () => {
    const test = connectGateway();
    makeReady(test);
    await test.clock.advance(5_000);
    test.sockets.last.hangUp(1001);
    await test.clock.advance(500);
    makeReady(test);
    expect(test.statuses).toContainEqual(expect.objectContaining({ state: 'gap', ms: 500 }));
  });

  it('is one, however many connections fail in it', async () => {
    const test = connectGateway();
    makeReady(test);
    test.sockets.last.hangUp(1001);
    await test.clock.advance(500);
    test.sockets.last.refuse({ statusCode: 503, headers: {} });
    await test.clock.advance(1_000);
    makeReady(test);
    expect(test.statuses.filter(({ state }) => state === 'gap')).toMatchObject([
      { ms: 1_500, reason: 'closed with code 1001' },
    ]);
  });

  it('is none before the first READY', async () => {
    const test = connectGateway();
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    expect(test.statuses.map(({ state }) => state)).toEqual(['reconnecting', 'ready']);
  });
});

describe('a command that comes again', () => {
  it('is delivered once, also after a reconnect', async () => {
    const test = connectGateway();
    makeReady(test);
    for (const frame of [COMMAND, COMMAND]) test.sockets.last.frame(frame);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    for (const frame of [COMMAND, created(message('b', 0))]) test.sockets.last.frame(frame);
    expect(logged(test)).toEqual(['command', 'b']);
    expect(test.gateway.counts.duplicates).toBe(2);
  });
});

describe('a message that comes again', () => {
  it('is delivered once where messages are read back, also after a reconnect', async () => {
    const test = connectWithBackfill(() => []);
    for (const second of [0, 0]) test.sockets.last.frame(created(message('a', second)));
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    for (const id of ['a', 'b']) test.sockets.last.frame(created(message(id, 1)));
    expect(logged(test)).toEqual(['a', 'b']);
    expect(test.gateway.counts.duplicates).toBe(2);
  });
});

describe('backfill', () => {
  it('delivers missed messages in order, marked, before newer ones of the channel', async () => {
    const test = connectWithBackfill();
    test.sockets.last.frame(created(message('seen', 1)));
    await test.loseConnection();
    expect(test.asked).toEqual([CHANNEL]);
    test.sockets.last.frame(created(message('live', 5)));
    test.sockets.last.frame(deleted('missed-1'));
    test.sockets.last.frame(created(message('elsewhere', 5, OTHER_CHANNEL)));
    test.sockets.last.frame(COMMAND);
    expect(logged(test)).toEqual(['seen', 'elsewhere', 'command']);
    await test.answer([
      message('live', 5),
      message('missed-2', 3),
      message('missed-1', 2),
      message('seen', 1),
      message('before', 0),
    ]);
    expect(logged(test).slice(3)).toEqual(['missed-1*', 'missed-2*', 'live', '-missed-1']);
    expect(test.gateway.counts).toMatchObject({ recovered: 2 });
    test.sockets.last.frame(created(message('later', 6)));
    expect(logged(test).at(-1)).toBe('later');
    expect(test.statuses.find(({ state }) => state === 'gap')).toMatchObject({
      unrecoverable: expect.not.arrayContaining(['MESSAGE_CREATE']),
    });
  });

  it('goes by the time of the gap in a channel where nothing was seen, a minute of clock skew allowed', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    await test.answer([message('in it', 0), message('skewed', -59), message('old', -61)]);
    expect(logged(test)).toEqual(['skewed*', 'in it*']);
  });

  it('asks again for what is left undone when the connection is lost meanwhile', async () => {
    const test = connectWithBackfill();
    test.sockets.last.frame(created(message('seen', 1)));
    await test.loseConnection();
    test.sockets.last.frame(created(message('between', 100)));
    await test.loseConnection();
    // The first reading is over; its answer comes too late.
    await test.answer([message('wrong', 50)]);
    await test.answer([
      message('second', 101),
      message('between', 100),
      message('first', 2),
      message('seen', 1),
    ]);
    expect(logged(test)).toEqual(['seen', 'first*', 'second*', 'between']);
  });

  it('continues without a channel that cannot be read, and reports it', async () => {
    const test = connectWithBackfill(() => [CHANNEL, OTHER_CHANNEL, CHANNEL]);
    await test.loseConnection();
    expect(test.asked).toEqual([CHANNEL, OTHER_CHANNEL]);
    test.sockets.last.frame(created(message('live', 5)));
    await test.answer(new Error('403'));
    await test.answer([message('missed', 0, OTHER_CHANNEL)]);
    expect(logged(test)).toEqual(['live', 'missed*']);
    expect(test.log.filter((line) => line.includes('could not be read'))).toHaveLength(1);
  });

  it('reads 4 channels at a time, 100 at most', async () => {
    const channels = Array.from({ length: 150 }, (_, n) => `channel-${n}`);
    const test = connectWithBackfill(() => channels);
    await test.loseConnection();
    expect(test.asked).toHaveLength(4);
    for (let n = 0; n < 150; n += 1) await test.answer([]);
    expect(test.asked).toEqual(channels.slice(0, 100));
    expect(test.log.some((line) => line.includes('not all watched channels'))).toBe(true);
  });

  it('holds new events back for 30 s at most', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    test.sockets.last.frame(created(message('live', 5)));
    // Heartbeats are answered meanwhile, or the connection would go first.
    for (let passedMs = 0; passedMs < 30_000; passedMs += 1_000) {
      expect(logged(test)).toEqual([]);
      await test.clock.advance(1_000);
      test.sockets.last.frame({ op: 'HEARTBEAT_ACK' });
    }
    expect(logged(test)).toEqual(['live']);
    await test.answer([message('late', 1)]);
    expect(logged(test)).toEqual(['live']);
    expect(test.log.at(-1)).toContain('reading took too long');
  });

  it('holds 1,000 new events back at most', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    for (let n = 0; n < 1_001; n += 1) test.sockets.last.frame(created(message(`m${n}`, 5)));
    expect(logged(test)).toEqual(Array.from({ length: 1_001 }, (_, n) => `m${n}`));
  });

  it('survives a list of channels that throws', async () => {
    const test = connectWithBackfill(() => {
      throw new Error('no list');
    });
    await test.loseConnection();
    test.sockets.last.frame(created(message('live', 5)));
    expect(logged(test)).toEqual(['live']);
  });

  it('is not done for a bot that gets no messages', async () => {
    const test = connectGateway({
      intents: ['APPLICATION_COMMANDS'],
      backfill: {
        channels: () => expect.unreachable(),
        rest: { messages: { history: () => expect.unreachable() } },
      },
    });
    makeReady(test);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    expect(test.log.filter((line) => line.includes('watched'))).toEqual([]);
  });

  it('ends with the gateway, and reports what it still held', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    test.sockets.last.frame(created(message('live', 5)));
    const closing = test.gateway.close();
    test.sockets.last.hangUp(1000);
    await closing;
    await test.answer([message('late', 1)]);
    expect(logged(test)).toEqual([]);
    expect(JSON.parse(test.log.at(-1) ?? '')).toMatchObject({ held: 1 });
    expect(test.clock.pending).toBe(0);
  });

  it('does not begin when the listener closes the gateway at READY', async () => {
    const asked: string[] = [];
    const test = connectGateway(
      {
        backfill: {
          channels: () => [CHANNEL],
          rest: {
            messages: {
              history(channelId) {
                asked.push(channelId);
                return expect.unreachable();
              },
            },
          },
        },
      },
      { status: ({ state }) => void (state === 'gap' && test.gateway.close()) },
    );
    makeReady(test);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    test.sockets.last.hangUp(1000);
    await test.gateway.close();
    expect(asked).toEqual([]);
    expect(test.clock.pending).toBe(0);
  });
});
