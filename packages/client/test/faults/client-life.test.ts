import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { readFixture } from '../read-fixture.js';
import { CHANNEL } from '../test-rest.js';
import { refusal } from './platform-routes.js';
import { lost, normal, refused } from './platform.js';
import { openRestWorld, type RestWorld } from './rest-world.js';
import { channel, send, sent } from './usual-calls.js';
import { eventually } from '../eventually.js';

const CALLS = runs(10_000);

const limited = {
  status: 429,
  headers: { 'retry-after': '3' },
  json: refusal('bot_rate_limited'),
};

/** Lets everything that is ready happen, and no time pass. */
const turns = (world: RestWorld): Promise<void> => world.clock.advance(0);

describe('a client over its life', () => {
  it('#32 abort while queued: at once, and it is never sent', async () => {
    let answerNow = (): void => {};
    const later = new Promise<void>((resolve) => (answerNow = resolve));
    const world = await openRestWorld({ script: () => ({ ...normal, after: later }) });
    const ending = new AbortController();
    for (let index = 0; index < 40; index += 1) {
      world.call(sent(`first ${index}`, channel(index)), send(`first ${index}`, channel(index)));
    }
    const queued = Array.from({ length: 40 }, (_, index) =>
      world.call(
        sent('second', channel(index)),
        send('second', channel(index), { signal: ending.signal }),
      ),
    );
    await eventually(() => expect(world.platform.requests.length).toBeGreaterThanOrEqual(16));
    ending.abort();
    await Promise.all(queued.map(({ ended }) => ended));
    for (const { code, details } of queued) {
      expect([code, details['maybeSent']]).toEqual(['E_ABORTED', false]);
    }
    expect(world.clock.elapsedMs).toBe(0);
    answerNow();
    await world.settle();
    expect(world.platform.requests).toHaveLength(40);
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
    await world.end();
  });

  it.each([
    ['a rate-limit wait', refused(limited), 'waiting', false],
    ['the pause before another try', refused({ status: 503 }), 'waiting', true],
    ['the wait for headers', lost('stall'), 'headers', true],
    [
      'the body',
      lost({ raw: 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"id":', end: 'stall' }),
      'body',
      true,
    ],
  ] as const)('#32 abort in %s: at once', async (_what, act, phase, maybeSent) => {
    let isAnswered = false;
    const world = await openRestWorld({
      script: () => {
        isAnswered = true;
        return act;
      },
    });
    const ending = new AbortController();
    const { signal } = ending;
    const call = world.call(undefined, (rest) =>
      rest.messages.edit(CHANNEL, channel(1), { content: 'x' }, { signal }),
    );
    await eventually(() => expect(isAnswered).toBe(true));
    for (let turn = 0; turn < 20; turn += 1) await turns(world);
    const beforeMs = world.clock.elapsedMs;
    ending.abort();
    await call.ended;
    expect(call.code).toBe('E_ABORTED');
    expect(call.details).toMatchObject({ phase, maybeSent });
    expect(world.clock.elapsedMs).toBe(beforeMs);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await world.end();
  });

  it('#32 abort while connecting: at once, and nothing was sent', async () => {
    const world = await openRestWorld({ scheme: 'https', plan: () => ({ accept: 'stall' }) });
    const ending = new AbortController();
    const call = world.call(sent('hello'), send('hello', CHANNEL, { signal: ending.signal }));
    await eventually(() => expect(world.proxy.connections).toBe(1));
    ending.abort();
    await call.ended;
    expect(call.code).toBe('E_ABORTED');
    expect(call.details).toMatchObject({ phase: 'connecting', maybeSent: false });
    await world.end();
  });

  it(`#33 one AbortSignal used ${CALLS} times: one listener at most, none afterwards`, async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const world = await openRestWorld({
      script: ({ path }, index) => {
        if (path === '/servers') return refused({ status: 404 });
        return index % 50 === 0 ? refused({ status: 503 }) : normal;
      },
    });
    const { signal } = new AbortController();
    for (let round = 0; round < CALLS / 200; round += 1) {
      const ended = Promise.allSettled(
        Array.from({ length: 200 }, (_, index) =>
          index % 20 === 0 ? world.rest.servers.list({ signal }) : world.rest.users.me({ signal }),
        ),
      );
      expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
      let isOver = false;
      void ended.then(() => (isOver = true));
      await world.clock.push(50, () => expect(isOver).toBe(true));
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(warnings).toEqual([]);
    await world.end();
  });

  it(`#34 ${CALLS} calls queued, then shutdown: each settles once, what was sent is reported`, async () => {
    const world = await openRestWorld({ script: () => lost('stall') });
    for (let index = 0; index < CALLS; index += 1) {
      const to = channel(index % 100);
      world.call(sent(`hello ${index}`, to), send(`hello ${index}`, to));
    }
    await eventually(() => expect(world.platform.requests.length).toBeGreaterThanOrEqual(16));
    let isClosed = false;
    void world.rest.close().then(() => (isClosed = true));
    await world.clock.push(500, () => expect(isClosed).toBe(true));
    await world.settle();
    const unknown = world.calls.filter(({ code }) => code === 'E_OUTCOME_UNKNOWN');
    const unsent = world.calls.filter(({ code }) =>
      /^E_(SHUTTING_DOWN|OVERLOADED)$/.test(code ?? ''),
    );
    expect(unknown).toHaveLength(world.platform.requests.length);
    expect(unknown.length + unsent.length).toBe(CALLS);
    await world.end();
  });

  it.each([5_000, 40_000])(
    '#35 event loop blocked %d ms with calls in flight: answered calls do not time out',
    async (blockedMs) => {
      const world = await openRestWorld({
        script: ({ method }, _index, socket) => {
          // The answer goes out, and in the same moment the process hangs: it lies unread.
          const body = JSON.stringify(method === 'GET' ? readFixture('bot-me') : {});
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
          world.clock.stall(blockedMs, { fireTimers: true });
          return lost('stall');
        },
      });
      const calls = [
        () => world.call(undefined, (rest) => rest.users.me()),
        () => world.call(sent('hello'), send('hello')),
        () => world.call(undefined, (rest) => rest.interactions.defer(channel(1))),
      ];
      for (const start of calls) {
        const call = start();
        await world.settle(1);
        expect(call.error).toBeUndefined();
      }
      expect(world.platform.requests).toHaveLength(3);
      await world.end();
    },
  );

  it('#35 event loop blocked with an unanswered call in flight: the call still times out', async () => {
    const world = await openRestWorld({ script: () => lost('stall') });
    const call = world.call(sent('hello'), send('hello'));
    await eventually(() => expect(world.platform.requests).toHaveLength(1));
    world.clock.stall(29_000, { fireTimers: true });
    await world.settle();
    expect(call.code).toBe('E_OUTCOME_UNKNOWN');
    await world.end();
  });

  it.each([3_600_000, -3_600_000])(
    '#36 system clock jumps by %d ms: waits and timeouts are unaffected',
    async (jumpMs) => {
      const world = await openRestWorld({
        script: (_request, index) =>
          index === 0 ? refused(limited) : index === 1 ? lost('stall') : normal,
      });
      const call = world.call(undefined, (rest) => rest.users.me());
      await world.clock.push(50, () => expect(world.clock.elapsedMs).toBeGreaterThan(2_000));
      expect(world.platform.requests).toHaveLength(1);
      world.clock.shiftWallClock(jumpMs);
      await world.clock.push(50, () => expect(world.platform.requests).toHaveLength(2));
      expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(3_000);
      expect(world.clock.elapsedMs).toBeLessThan(4_000);
      world.clock.shiftWallClock(jumpMs);
      await world.clock.advance(14_000);
      expect(call.settlements).toBe(0);
      await world.settle();
      expect(call.error).toBeUndefined();
      expect(world.clock.elapsedMs).toBeLessThan(20_000);
      await world.end();
    },
  );

  const endings = ['reset', 'abort', 'timeout'] as const;
  it.each(
    (['fresh', 'limited', 'after a pause', 'slow start'] as const).flatMap((state) =>
      endings.map((ending) => [state, ending] as const),
    ),
  )(
    '#38 attempt in a bucket that is %s ends by %s, without headers: the next call gets its turn',
    async (state, how) => {
      const before = { fresh: 0, limited: 1, 'after a pause': 1, 'slow start': 3 }[state];
      let isCut = false;
      const world = await openRestWorld({
        script: ({ json }, index) => {
          if (Object(json).content === 'cut') {
            isCut = true;
            return lost(how === 'reset' ? 'reset' : 'stall');
          }
          return before > 0 && index === 0 ? refused(limited) : normal;
        },
      });
      for (let index = 0; index < before; index += 1) {
        const call = world.call(sent(`before ${index}`), send(`before ${index}`));
        const isEnough = (): boolean =>
          state === 'limited' ? world.platform.requests.length > 0 : call.settlements > 0;
        await world.clock.push(50, () => expect(isEnough()).toBe(true));
      }
      const ending = new AbortController();
      const cut = world.call(sent('cut'), send('cut', CHANNEL, { signal: ending.signal }));
      await world.clock.push(50, () => expect(isCut).toBe(true));
      const next = Array.from({ length: 5 }, (_, index) =>
        world.call(sent(`after ${index}`), send(`after ${index}`)),
      );
      if (how === 'abort') ending.abort();
      await world.settle();
      expect(cut.code).toBe(how === 'abort' ? 'E_ABORTED' : 'E_OUTCOME_UNKNOWN');
      expect(next.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
      await world.end();
    },
  );
});
