import type { BotEvent } from '@virgule/runtime/bot';
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
  deliveries: 1,
  body: JSON.stringify({
    t: 'APPLICATION_COMMAND',
    d: { interactionId: id, name: 'x' },
    atMs,
  }),
});

/** The reply of a claim. */
const claiming = (...claimed: readonly Delivery[]) => ({ claimed, isAwaited: false });

/** A worker whose reads of commands the test answers. */
async function startWorker(given: object = {}, log: Log = silentLog, clock = createFakeClock()) {
  const reads: ((deliveries: Delivery[]) => void)[] = [];
  const reader = { ready: async () => {}, close: () => {} };
  const bus = {
    createGroups: async () => {},
    readReady: async () => READY,
    beat: async () => ({ nowMs: clock.monotonic(), share: 16, partitions: [], isLate: false }),
    reclaim: async () => claiming(),
    read: () => new Promise<Delivery[]>((resolve) => void reads.push(resolve)),
    readAgain: async () => [delivery('mine', clock.monotonic())],
    isDeferred: async () => false,
    acknowledge: async () => {},
    passOn: async (one: Delivery) => void passed.push(one.id),
    leave: async () => {},
    ...given,
  };
  const ran: unknown[] = [];
  const passed: string[] = [];
  const events: BotEvent[] = [];
  const worker = createWorker({
    // The parts that a worker without events uses.
    bus: bus as unknown as Bus,
    openReader: () => reader as unknown as Connection,
    time: new RedisTime(clock),
    clock,
    log,
    concurrency: 5,
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
    passed,
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

  it('lets the bot answer a command that is set aside, however old it seems to be', async () => {
    const nowMs = createFakeClock().monotonic();
    const claimed = [
      { ...delivery('new', nowMs), deliveries: 4 },
      { ...delivery('old', nowMs - 900_001), deliveries: 4 },
      { ...delivery('newer', nowMs), version: 2, deliveries: 4 },
    ];
    const { clock, worker, ran, close } = await startWorker({
      reclaim: async () => claiming(...claimed.splice(0, 1)),
    });
    await clock.advance(1_000);
    expect([ran, worker.counts.dead]).toEqual([['no handler, new', 'no handler, old'], 3]);
    await close();
  });

  it('runs a command of any age, which did not come in the future: the clock of Redis was set', async () => {
    const { clock, ran, events, receive, close } = await startWorker();
    const nowMs = clock.monotonic();
    await receive(delivery('old', nowMs - 3_600_000), delivery('new', nowMs + 3_600_000));
    expect(ran).toEqual(['new', 'old']);
    expect(events.map(({ receivedAtMs }) => nowMs - receivedAtMs)).toEqual([0, 3_600_000]);
    await close();
  });

  it('sets a command aside when its user has the text, and begins no other one before', async () => {
    const nowMs = createFakeClock().monotonic();
    const dead = { ...delivery('endless', nowMs), deliveries: 4 };
    const claims = [[], [dead]];
    const ended: unknown[] = [];
    const clock = createFakeClock();
    const { ran, passed, events, receive, close } = await startWorker(
      {
        reclaim: async () => claiming(...(claims.shift() ?? [])),
        async acknowledge(batch: readonly Delivery[]) {
          ended.push(...batch);
          await clock.sleep(50);
        },
      },
      silentLog,
      clock,
    );
    await clock.advance(300);
    await receive(delivery('a', nowMs));
    expect([ran, passed, ended]).toEqual([['no handler, endless'], ['a'], []]);
    events[0]?.queued?.ended();
    await clock.advance(0);
    expect(ended).toEqual([dead]);
    await clock.advance(100);
    await receive(delivery('b', nowMs));
    expect(ran).toEqual(['no handler, endless', 'b']);
    await close();
  });

  it('runs what it reads again alone for the last time: the reply of a claim was lost', async () => {
    const beats = [{}, { fails: true }];
    const { clock, ran, passed, receive, close } = await startWorker({
      async beat() {
        if (beats.shift()?.fails) throw new Error('the connection was lost');
        return { nowMs: 0, share: 16, partitions: [], isLate: false };
      },
      readAgain: async () => [delivery('a', 0), { ...delivery('endless', 0), deliveries: 3 }],
      restoreGroups: async () => {},
    });
    await clock.advance(1_000);
    // The read that was in flight.
    await receive();
    expect([ran, passed]).toEqual([['endless'], ['a']]);
    await close();
  });

  it.each([
    ['it has ended', 'short', 1_000],
    ['10 s', 'endless', 10_000],
  ])('begins nothing next to what runs alone until %s', async (_, id, ms) => {
    const nowMs = createFakeClock().monotonic();
    const claims = [[], [{ ...delivery(id, nowMs), deliveries: 3 }]];
    let count = 0;
    const { clock, ran, passed, receive, close } = await startWorker({
      async reclaim() {
        count += 1;
        return claiming(...(claims.shift() ?? []));
      },
    });
    await clock.advance(300);
    expect([ran, count]).toEqual([[id], 2]);
    const isOver = id === 'short';
    // The read that was in flight.
    await receive(delivery('a', nowMs));
    expect([ran, passed]).toEqual(isOver ? [[id, 'a'], []] : [[id], ['a']]);
    await clock.advance(Math.max(0, ms - 500));
    expect(count === 2).toBe(!isOver);
    await clock.advance(800);
    await receive(delivery('c', nowMs));
    expect(ran.at(-1)).toBe('c');
    expect(count).toBeGreaterThan(2);
    await close();
  });

  it('begins nothing for 10 s at most while one waits until it can run alone', async () => {
    const nowMs = createFakeClock().monotonic();
    const asked: boolean[] = [];
    let waiting: Delivery[] = [];
    const { clock, ran, passed, events, receive, close } = await startWorker({
      async reclaim(_: unknown, mayBeAlone: boolean) {
        asked.push(mayBeAlone);
        const claimed = mayBeAlone ? waiting.splice(0) : [];
        return { claimed, isAwaited: waiting.length > 0 };
      },
    });
    await receive(delivery('endless', nowMs));
    waiting = [{ ...delivery('last', nowMs), deliveries: 3 }];
    await clock.advance(300);
    await receive(delivery('a', nowMs));
    expect([ran, passed, asked]).toEqual([['endless'], ['a'], [true, false]]);
    events[0]?.queued?.ended();
    await clock.advance(400);
    await receive(delivery('endless 2', nowMs));
    expect(ran).toEqual(['endless', 'last', 'endless 2']);
    waiting = [{ ...delivery('endless 3', nowMs), deliveries: 3 }];
    await clock.advance(9_000);
    expect(ran).toHaveLength(3);
    await clock.advance(2_000);
    expect(ran.at(-1)).toBe('endless 3');
    await close();
  });

  it.each([
    ['it has it', true, true],
    ['another one has it', false, false],
    ['Redis is away', undefined, true],
  ])(
    'asks before an answer after it was suspended, and ends the command if %s',
    async (_, isOwn, ends) => {
      let isAway = false;
      const ended: string[] = [];
      const clock = createFakeClock();
      const { worker, events, receive, close } = await startWorker(
        {
          async beat() {
            if (isAway) throw new Error('Redis is away');
            return { nowMs: clock.monotonic(), share: 16, partitions: [], isLate: false };
          },
          isOwn: async () => isOwn,
          acknowledge: async (batch: readonly Delivery[]) =>
            void ended.push(...batch.map(({ id }) => id)),
          restoreGroups: async () => {},
        },
        silentLog,
        clock,
      );
      await receive(delivery('endless', clock.monotonic()));
      const queued = events[0]?.queued;
      expect(queued?.isOwn?.()).toBeUndefined();
      clock.stall(4_000);
      isAway = isOwn === undefined;
      const asked = queued?.isOwn?.();
      await clock.advance(1_100);
      expect([await asked, queued?.isOwn?.()]).toEqual([isOwn, undefined]);
      queued?.ended();
      await clock.advance(0);
      expect([ended, worker.counts.running]).toEqual([ends ? ['endless'] : [], 0]);
      await close();
    },
  );

  it('does not begin what it was going to begin before it was suspended, unless it still has it', async () => {
    let answer: (isDeferred: boolean) => void = () => {};
    const { clock, ran, receive, close } = await startWorker({
      isDeferred: () => new Promise((resolve) => (answer = resolve)),
    });
    await receive(delivery('old', clock.monotonic() - 500));
    clock.stall(4_000);
    answer(false);
    await clock.advance(1_000);
    await receive();
    expect(ran).toEqual(['mine']);
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
    const { ran, passed, receive, close } = await startWorker();
    await receive({ ...delivery('newer', 0), version: 2 });
    expect([ran, passed]).toEqual([[], ['newer']]);
    await close();
  });

  it('passes on what it has not begun when it drains, while it looks up whether that is deferred', async () => {
    let answer: (isDeferred: boolean) => void = () => {};
    const { clock, worker, ran, passed, receive, close } = await startWorker({
      isDeferred: () => new Promise((resolve) => (answer = resolve)),
    });
    const old = delivery('old', clock.monotonic() - 500);
    await receive(old);
    worker.drain?.();
    answer(false);
    await clock.advance(100);
    expect([ran, passed]).toEqual([[], ['old']]);
    expect(worker.counts.running).toBe(0);
    await close();
  });
});
