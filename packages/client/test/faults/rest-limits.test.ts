import { describe, expect, it } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { CHANNEL, INTERACTION } from '../test-rest.js';
import { createLimitWindow, type LimitWindow } from './limit-window.js';
import { refusal } from './platform-routes.js';
import { normal, refused, startPlatform, type Act, type PlatformRequest } from './platform.js';
import { openRestWorld, type RestWorldOptions } from './rest-world.js';
import { createTestClock } from './test-clock.js';
import { channel, send, sent } from './usual-calls.js';
import { eventually } from '../eventually.js';

const FLOOD = runs(5_000);

/** A world in which the calls have time, and whose limits go by its clock. */
function openLimited(
  script: (
    open: (limit: number, windowMs: number) => LimitWindow,
  ) => (request: PlatformRequest, index: number) => Act,
  options: Pick<RestWorldOptions, 'rest'> = {},
) {
  const clock = createTestClock();
  const open = (limit: number, windowMs: number): LimitWindow =>
    createLimitWindow({ limit, windowMs, clock });
  const rest = { deadlineMs: 300_000, ...options.rest };
  return openRestWorld({ clock, script: script(open), rest });
}

const asked = (window: LimitWindow): Act => {
  const answer = window.take();
  return answer ? refused(answer) : normal;
};

describe('a client and limits that only a 429 states', () => {
  const HOUR_MS = 3_600_000;
  it.each([
    ['delta seconds', 0, () => 3],
    ['delta ms', 0, () => 3_000],
    ['epoch seconds', 0, (serverMs: number) => Math.round(serverMs / 1_000) + 3],
    ['epoch ms', 0, (serverMs: number) => serverMs + 3_000],
    ['epoch seconds', HOUR_MS, (serverMs: number) => Math.round(serverMs / 1_000) + 3],
    ['epoch ms', -HOUR_MS, (serverMs: number) => serverMs + 3_000],
    ['nothing, it is past', 0, (serverMs: number) => serverMs - 60_000],
  ] as const)(
    '#19 X-RateLimit-Reset counts in %s, the server clock is %d ms ahead: the wait is Retry-After',
    async (_unit, skewMs, reset) => {
      const clock = createTestClock();
      const world = await openRestWorld({
        clock,
        script: (_request, index) => {
          if (index % 2 === 1) return normal;
          const serverMs = clock.now() + skewMs;
          return refused({
            status: 429,
            headers: {
              'retry-after': '3',
              date: new Date(serverMs).toUTCString(),
              'x-ratelimit-limit': '5',
              'x-ratelimit-remaining': '0',
              'x-ratelimit-reset': String(reset(serverMs)),
            },
          });
        },
      });
      for (let round = 0; round < 4; round += 1) {
        const startMs = clock.elapsedMs;
        const call = world.call(undefined, (rest) => rest.messages.list(channel(round)));
        await world.settle(25);
        expect(call.error).toBeUndefined();
        expect(clock.elapsedMs - startMs).toBeGreaterThanOrEqual(3_000);
        expect(clock.elapsedMs - startMs).toBeLessThan(3_500);
      }
      await world.end();
    },
  );

  it('#20 one bucket shared by three routes: detected, and every call succeeds', async () => {
    let shared: LimitWindow | undefined;
    const world = await openLimited((open) => {
      const window = (shared = open(5, 5_000));
      return () => asked(window);
    });
    for (let index = 0; index < 10; index += 1) {
      world.call(sent(`hello ${index}`), send(`hello ${index}`));
      world.call(undefined, (rest) => rest.channels.typing(CHANNEL));
      world.call(undefined, (rest) => rest.messages.list(CHANNEL));
    }
    await world.settle(25);
    expect(world.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    // 30 calls in 6 windows; if each route went by itself, each window would refuse three.
    expect(shared?.refused).toBeLessThanOrEqual(30);
    expect(world.rest.limits().buckets.map(({ route }) => route)).toContain('');
    await world.end();
  });

  it('#21 per-channel bucket: one channel at its limit holds up no other, order is kept', async () => {
    const windows = new Map<string, LimitWindow>();
    const world = await openLimited((open) => ({ path }) => {
      const window = windows.get(path) ?? open(5, 5_000);
      windows.set(path, window);
      return asked(window);
    });
    for (let index = 0; index < 20; index += 1) {
      world.call(sent(`hello ${index}`, channel(1)), send(`hello ${index}`, channel(1)));
    }
    await world.clock.push(25, () => expect(world.clock.elapsedMs).toBeGreaterThan(2_000));
    const busyAt = world.clock.elapsedMs;
    const other = world.call(sent('other', channel(2)), send('other', channel(2)));
    await world.clock.push(5, () => expect(other.settlements).toBe(1));
    expect(world.clock.elapsedMs - busyAt).toBeLessThan(1_000);
    expect(world.calls.filter(({ settlements }) => settlements === 0)).not.toEqual([]);
    await world.settle(25);
    expect(world.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    const inOrder = [...world.platform.effects.keys()].filter((name) => name.includes('hello'));
    expect(inOrder).toEqual(
      Array.from({ length: 20 }, (_, index) => sent(`hello ${index}`, channel(1))),
    );
    const routes = world.rest.limits().buckets.map(({ route }) => route);
    expect(new Set(routes)).toEqual(new Set(['messages.send']));
    await world.end();
  });

  it('#22 global 429 storm, 500 queued calls: no stampede when it ends', async () => {
    const arrivals: number[] = [];
    let storm = true;
    const world = await openLimited((open) => {
      const window = open(50, 1_000);
      return () => {
        arrivals.push(world.clock.elapsedMs);
        if (!storm) return asked(window);
        return refused({
          status: 429,
          headers: { 'retry-after': '3', 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0' },
          json: refusal('bot_rate_limited', { retryAfterSeconds: 3 }),
        });
      };
    });
    const routes: readonly ((index: number) => void)[] = [
      (index) => world.call(sent(`m${index}`, channel(index)), send(`m${index}`, channel(index))),
      (index) => world.call(undefined, (rest) => rest.channels.typing(channel(index))),
      (index) => world.call(undefined, (rest) => rest.messages.list(channel(index))),
      (index) => world.call(undefined, (rest) => rest.servers.channels(channel(index))),
      (index) => world.call(undefined, (rest) => rest.servers.emojis(channel(index))),
    ];
    for (let index = 0; index < 500; index += 1) routes[index % 5]?.(index);
    await world.clock.push(20, () => expect(world.clock.elapsedMs).toBeGreaterThan(2_000));
    const inStorm = arrivals.length;
    storm = false;
    arrivals.length = 0;
    await world.settle(20);
    expect(world.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    // At most the requests in flight when the first 429 came.
    expect(inStorm).toBeLessThanOrEqual(64);
    const busiest = Math.max(
      ...arrivals.map((start) => arrivals.filter((at) => at >= start && at < start + 100).length),
    );
    expect(busiest).toBeLessThanOrEqual(64);
    await world.end();
  });

  it('#23 429 on every request: each call ends within its deadline, one request for each pause', async () => {
    const world = await openRestWorld({
      script: () => refused({ status: 429, headers: { 'retry-after': '1' } }),
    });
    for (let round = 0; round < 10; round += 1) {
      for (let index = 0; index < 32; index += 1) {
        world.call(
          sent(`${round}`, channel(index)),
          send(`${round}`, channel(index), { deadlineMs: 1_000 }),
        );
      }
      // Small steps: the answers need real time to arrive.
      await world.settle(20);
      await world.clock.advance(1_500);
    }
    expect(new Set(world.calls.map(({ code }) => code))).toEqual(new Set(['E_RATE_LIMITED']));
    expect(world.platform.requests.length).toBeLessThanOrEqual(10 * 32);
    await world.end();
  });

  it('#28 403 storm: each call is reported as refused, answers to interactions continue', async () => {
    const world = await openRestWorld({
      script: ({ path }) =>
        path.startsWith('/interactions') ? normal : refused({ status: 403, json: refusal('no') }),
    });
    for (let index = 0; index < 1_200; index += 1) {
      const priority = index % 2 === 0 ? 'background' : 'awaited';
      const to = channel(index % 120);
      world.call(sent(`${index}`, to), send(`${index}`, to, { priority }));
    }
    const answer = world.call(`respond ${INTERACTION}`, (rest) =>
      rest.interactions.respond(INTERACTION, { content: 'hello' }),
    );
    await world.settle();
    expect(answer.error).toBeUndefined();
    const refusals = world.calls.filter((call) => call !== answer);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['E_API_REFUSED']));
    expect(world.platform.requests).toHaveLength(1_201);
    await world.end();
  });

  it(`#37 one channel floods ${FLOOD} sends, another sends 1: it is sent within 1 s`, async () => {
    let latencyMs = 20;
    /** Requests that the platform holds until their latency has passed. */
    let held = 0;
    const clock = createTestClock();
    const world = await openRestWorld({
      clock,
      script: () => {
        if (latencyMs === 0) return normal;
        held += 1;
        return { ...normal, after: clock.sleep(latencyMs).finally(() => (held -= 1)) };
      },
      rest: { deadlineMs: 300_000 },
    });
    for (let index = 0; index < FLOOD; index += 1) {
      world.call(sent(`flood ${index}`, channel(1)), send(`flood ${index}`, channel(1)));
    }
    // Time stops while a request or its answer is on the wire: a busy machine must not count as the client's delay.
    const live = (check: () => void): Promise<void> =>
      clock.push(() => {
        const { interaction, general } = world.rest.limits().inFlight;
        return held === interaction + general ? 5 : 0;
      }, check);
    await live(() => expect(world.platform.requests.length).toBeGreaterThan(20));
    const beforeMs = clock.elapsedMs;
    const other = world.call(sent('one', channel(2)), send('one', channel(2)));
    const answer = world.call(`respond ${INTERACTION}`, (rest) =>
      rest.interactions.respond(INTERACTION, { content: 'hello' }),
    );
    await live(() => expect([other.settlements, answer.settlements]).toEqual([1, 1]));
    expect(clock.elapsedMs - beforeMs).toBeLessThan(1_000);
    expect([other.error, answer.error]).toEqual([undefined, undefined]);
    latencyMs = 0;
    await world.settle(1);
    expect(world.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    await world.end();
  });

  it.each([403, 410])(
    '#31 upload URL expired between session and upload (%d): another session, one message',
    async (status) => {
      const stored: string[] = [];
      const storage = await startPlatform(({ method, path, headers }) => {
        expect(headers).not.toHaveProperty('authorization');
        if (path.startsWith('/old')) return refused({ status });
        stored.push(`${method} ${path}`);
        return normal;
      });
      let sessions = 0;
      const world = await openRestWorld({
        script: ({ path }) => {
          if (!path.endsWith('/upload-session')) return normal;
          sessions += 1;
          const name = sessions === 1 ? 'old' : 'new';
          return refused({
            json: {
              uploadUrl: `http://${storage.address}/${name}`,
              objectKey: name,
              publicUrl: `http://${storage.address}/public/${name}`,
              fields: {},
              expiresAt: '2026-01-01T00:10:00Z',
              maxBytes: 1_000,
            },
          });
        },
      });
      const files = [{ name: 'cat.png', data: Buffer.from('meow') }];
      const call = world.call(sent('look'), (rest) =>
        rest.messages.send(CHANNEL, { content: 'look', files }),
      );
      await world.settle();
      expect(call.error).toBeUndefined();
      expect([sessions, stored]).toEqual([2, ['PUT /new']]);
      const post = world.platform.requests.at(-1)?.json;
      expect(post).toMatchObject({ content: 'look', attachments: [{ objectKey: 'new' }] });
      await world.rest.close();
      await eventually(() => expect(storage.open).toBe(0));
      await storage.close();
      await world.end();
    },
  );
});
