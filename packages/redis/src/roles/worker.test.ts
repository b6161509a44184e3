import type { BotEvent } from '@virgule/runtime/project';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import type { Bus, Delivery } from '../bus/bus.js';
import { RedisTime } from '../bus/redis-time.js';
import type { Connection } from '../connection/connection.js';
import { createWorker } from './worker.js';

const READY = {
  applicationId: 'a',
  botUserId: 'b',
  username: 'dice',
  displayName: 'Dice',
  serverIds: [],
};
const delivery = (id: string, atMs: number): Delivery => ({
  stream: 'commands',
  partition: 'commands',
  id,
  version: 1,
  body: JSON.stringify({
    t: 'APPLICATION_COMMAND',
    d: { interactionId: id, name: 'x' },
    atMs,
  }),
});

/** A worker whose reads of commands the test answers. */
async function startWorker(given: object = {}, log: Log = silentLog, clock = createFakeClock()) {
  const reads: ((deliveries: Delivery[]) => void)[] = [];
  const reader = { ready: async () => {}, close: () => {} };
  const bus = {
    createGroups: async () => {},
    readReady: async () => READY,
    beat: async () => ({ nowMs: clock.monotonic(), share: 16, partitions: [], isLate: false }),
    reclaim: async () => [],
    read: () => new Promise<Delivery[]>((resolve) => void reads.push(resolve)),
    readAgain: async () => [delivery('mine', clock.monotonic())],
    isDeferred: async () => false,
    acknowledge: async () => {},
    leave: async () => {},
    ...given,
  };
  const ran: unknown[] = [];
  const events: BotEvent[] = [];
  const worker = createWorker({
    // What a worker without events uses of them.
    bus: bus as unknown as Bus,
    openReader: () => reader as unknown as Connection,
    time: new RedisTime(clock),
    clock,
    log,
    concurrency: 5,
    maxAgeMs: 900_000,
  });
  await worker.connect({
    dispatch(event: BotEvent) {
      events.push(event);
      const { d, queued } = event;
      const { interactionId } = Object(d);
      ran.push(queued?.isSetAside ? `no handler, ${interactionId}` : interactionId);
      if (!String(interactionId).startsWith('endless')) queued?.ended();
    },
  });
  await clock.advance(200);
  return {
    clock,
    worker,
    ran,
    events,
    async receive(...deliveries: readonly Delivery[]) {
      reads.shift()?.([...deliveries]);
      await clock.advance(100);
    },
    async close() {
      void worker.close();
      for (const answer of reads) answer([]);
      await clock.advance(5_000);
    },
  };
}

describe('a worker', () => {
  it('does not run what it read before it was suspended, unless it still has it', async () => {
    const { clock, ran, receive, close } = await startWorker();
    await receive(delivery('in time', clock.monotonic()));
    expect(ran).toEqual(['in time']);
    clock.stall(5_000);
    const nowMs = clock.monotonic();
    await receive(delivery('claimed by another one', nowMs), delivery('mine', nowMs));
    await clock.advance(1_000);
    expect(ran).toEqual(['in time', 'mine']);
    await close();
  });

  it.each([
    ['no JSON', '{', 'dropped an entry that cannot be read'],
    ['no object', '[]', 'dropped an entry that cannot be read'],
    ['no event', '{"t":7,"atMs":0}', 'dropped an entry that cannot be read'],
    ['no time', '{"t":"MESSAGE_CREATE","d":{}}', 'dropped an entry that cannot be read'],
    [
      'an old command',
      '{"t":"APPLICATION_COMMAND","d":{},"atMs":-900001}',
      'dropped a command: it is too old to be answered',
    ],
  ])('drops %s, acknowledges it, and continues', async (_, body, reason) => {
    const errors: string[] = [];
    const acknowledged: string[] = [];
    const { clock, ran, receive, close } = await startWorker(
      {
        acknowledge: async (ended: readonly Delivery[]) =>
          void acknowledged.push(...ended.map(({ id }) => id)),
      },
      { ...silentLog, error: (_fields, message) => void errors.push(message) },
    );
    await receive({ ...delivery('bad', 0), body }, delivery('good', clock.monotonic()));
    expect([errors, ran]).toEqual([[reason], ['good']]);
    expect(acknowledged.toSorted()).toEqual(['bad', 'good']);
    await close();
  });

  it('lets the bot answer a command that is set aside while it can be answered', async () => {
    const nowMs = createFakeClock().monotonic();
    const claimed = [
      { ...delivery('new', nowMs), deliveries: 3, isDead: true },
      { ...delivery('old', nowMs - 900_001), deliveries: 3, isDead: true },
      { ...delivery('newer', nowMs), version: 2, isDead: true },
    ];
    const { worker, ran, close } = await startWorker({ reclaim: async () => claimed.splice(0) });
    expect([ran, worker.counts.dead]).toEqual([['no handler, new'], 3]);
    await close();
  });

  it('keeps a command that is set aside until its user has the text, and begins others after it', async () => {
    const nowMs = createFakeClock().monotonic();
    const dead = { ...delivery('endless', nowMs), deliveries: 3, isDead: true };
    const claimed = [{ ...delivery('next', nowMs), deliveries: 2 }, dead];
    const ended: unknown[] = [];
    const { clock, ran, events, close } = await startWorker({
      reclaim: async () => claimed.splice(0),
      acknowledge: async (batch: readonly Delivery[]) => void ended.push(...batch),
    });
    expect(ran).toEqual(['no handler, endless']);
    await clock.advance(200);
    expect([ran, ended]).toEqual([
      ['no handler, endless', 'next'],
      [expect.not.objectContaining(dead)],
    ]);
    events[0]?.queued?.ended();
    await clock.advance(0);
    expect(ended).toContainEqual(dead);
    await close();
  });

  it('begins others when what is set aside is acknowledged: they may block the event loop', async () => {
    const nowMs = createFakeClock().monotonic();
    const dead = { ...delivery('dead', nowMs), deliveries: 3, isDead: true };
    const claimed = [{ ...delivery('next', nowMs), deliveries: 2 }, dead];
    let acknowledged = (): void => {};
    const { clock, ran, close } = await startWorker({
      reclaim: async () => claimed.splice(0),
      acknowledge: () => new Promise<void>((resolve) => (acknowledged = resolve)),
    });
    expect(ran).toEqual(['no handler, dead']);
    acknowledged();
    await clock.advance(0);
    expect(ran).toEqual(['no handler, dead', 'next']);
    acknowledged();
    await close();
  });

  it('starts what it reads again alone from the third delivery on: the reply of a claim was lost', async () => {
    const beats = [{}, { fails: true }];
    const { clock, ran, events, receive, close } = await startWorker({
      async beat() {
        if (beats.shift()?.fails) throw new Error('the connection was lost');
        return { nowMs: 0, share: 16, partitions: [], isLate: false };
      },
      readAgain: async () => [{ ...delivery('endless', 0), deliveries: 3 }],
      noteYielded: async () => {},
      restoreGroups: async () => {},
    });
    await clock.advance(1_000);
    // The read that was in flight.
    await receive();
    expect(ran).toEqual(['endless']);
    // No other read has begun.
    await receive(delivery('a', 0));
    expect(ran).toEqual(['endless']);
    await clock.advance(400);
    await receive(delivery('b', 0));
    expect(ran).toEqual(['endless', 'b']);
    events[0]?.queued?.ended();
    await close();
  });

  it.each([
    ['it has ended', 'short', ['short', 'a', 'b', 'c', 'd'], []],
    ['it has yielded', 'endless', ['endless', 'c', 'd'], ['endless 3']],
  ])(
    'begins nothing next to what starts alone until %s',
    async (_, id, expected, expectedNotes) => {
      const nowMs = createFakeClock().monotonic();
      const claims = [[{ ...delivery(id, nowMs), deliveries: 3 }], [{ ...delivery('d', nowMs) }]];
      const notes: string[] = [];
      const { clock, ran, receive, close } = await startWorker({
        reclaim: async () => claims.shift() ?? [],
        noteYielded: async (one: Delivery) => void notes.push(`${one.id} ${one.deliveries}`),
      });
      await receive(delivery('a', nowMs));
      expect(ran).toEqual(expected.slice(0, id === 'short' ? 2 : 1));
      if (id === 'short') await receive(delivery('b', nowMs));
      await clock.advance(150);
      await receive(delivery('c', nowMs));
      await clock.advance(500);
      expect(new Set(ran)).toEqual(new Set(expected));
      expect(notes).toEqual(expectedNotes);
      await close();
    },
  );

  it('begins what a read in flight returns when what started alone has yielded', async () => {
    const nowMs = createFakeClock().monotonic();
    const claims = [[], [{ ...delivery('endless', nowMs), deliveries: 3 }]];
    const { clock, ran, events, receive, close } = await startWorker({
      reclaim: async () => claims.shift() ?? [],
      noteYielded: async () => {},
    });
    await clock.advance(300);
    expect(ran).toEqual(['endless']);
    await receive(delivery('a', nowMs));
    expect(ran).toEqual(['endless']);
    await clock.advance(300);
    expect(ran).toEqual(['endless', 'a']);
    events[0]?.queued?.ended();
    await close();
  });

  it('notes a follow-up when Redis is back, and lets it wait for a second at most', async () => {
    let isAway = true;
    const noted: string[] = [];
    const { clock, events, receive, close } = await startWorker({
      async noteFollowUps({ id }: Delivery) {
        if (isAway) throw new Error('Redis is away');
        noted.push(id);
      },
    });
    await receive(delivery('endless', clock.monotonic()));
    let isSent = false;
    void events[0]?.queued?.followingUp?.().then(() => (isSent = true));
    await clock.advance(400);
    expect([isSent, noted]).toEqual([false, []]);
    isAway = false;
    await clock.advance(150);
    expect([isSent, noted]).toEqual([true, ['endless']]);
    isAway = true;
    await receive(delivery('endless 2', clock.monotonic()));
    isSent = false;
    void events[1]?.queued?.followingUp?.().then(() => (isSent = true));
    await clock.advance(1_100);
    expect([isSent, noted]).toEqual([true, ['endless']]);
    isAway = false;
    await clock.advance(150);
    expect(noted).toEqual(['endless', 'endless 2']);
    await close();
  });

  it('reports once that Redis refuses to deliver, and is not ready meanwhile', async () => {
    const warnings: string[] = [];
    let answer: () => Promise<Delivery[]> = async () => {
      throw new Error('NOPERM no permissions to run XREADGROUP');
    };
    const { clock, worker, close } = await startWorker(
      { read: () => answer(), restoreGroups: async () => {} },
      { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    );
    await clock.advance(1_000);
    expect([warnings, worker.health().isReady]).toEqual([
      ['cannot read commands: Redis refuses it'],
      false,
    ]);
    answer = () => clock.sleep(500).then(() => []);
    await clock.advance(1_000);
    expect([warnings.length, worker.health().isReady]).toEqual([1, true]);
    await close();
  });

  it('warns of what it waits for when that is not a gateway', async () => {
    const lines: string[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void lines.push(`${level}: ${message}; ${Object(fields).reason}`);
    const log = { ...silentLog, info: write('info'), warn: write('warn') };
    const answers = [undefined, undefined, new Error('Redis is full'), new Error('Redis is full')];
    const clock = createFakeClock();
    const started = startWorker(
      {
        async readReady() {
          if (answers.length === 0) return READY;
          const answer = answers.shift();
          if (answer) throw answer;
          return undefined;
        },
      },
      log,
      clock,
    );
    await clock.advance(1_000);
    const { close } = await started;
    expect(lines).toEqual([
      'info: this worker waits; no gateway has connected to the platform',
      'warn: this worker waits; Redis is full',
    ]);
    await close();
  });

  it('is ready when it no longer has the partitions that Redis refused to deliver', async () => {
    let partitions = [0];
    const { clock, worker, close } = await startWorker({
      beat: async () => ({ nowMs: 0, share: 16, partitions, isLate: false }),
      read: async (_: unknown, from: unknown) => {
        if (from !== 'commands') throw new Error('LOADING Redis is loading the dataset in memory');
        return new Promise<never>(() => {});
      },
      restoreGroups: async () => {},
    });
    await clock.advance(1_000);
    expect(worker.health().isReady).toBe(false);
    partitions = [];
    await clock.advance(1_000);
    expect(worker.health().isReady).toBe(true);
    await close();
  });

  it('passes an entry of a newer version on to workers that know it', async () => {
    const passed: Delivery[] = [];
    const { ran, receive, close } = await startWorker({
      passOn: async (one: Delivery) => void passed.push(one),
    });
    const newer = { ...delivery('newer', 0), version: 2 };
    await receive(newer);
    expect([ran, passed]).toEqual([[], [newer]]);
    await close();
  });

  it('passes on what it has not begun when it drains, while it looks up whether that is deferred', async () => {
    let answer: (isDeferred: boolean) => void = () => {};
    const passed: Delivery[] = [];
    const { clock, worker, ran, receive, close } = await startWorker({
      isDeferred: () => new Promise((resolve) => (answer = resolve)),
      passOn: async (one: Delivery) => void passed.push(one),
    });
    const old = delivery('old', clock.monotonic() - 500);
    await receive(old);
    worker.drain?.();
    answer(false);
    await clock.advance(100);
    expect([ran, passed]).toEqual([[], [old]]);
    expect(worker.counts.running).toBe(0);
    await close();
  });
});
