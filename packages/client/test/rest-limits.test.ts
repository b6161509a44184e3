import { describe, expect, it } from 'vitest';
import { isRateLimited } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer, type Answer } from './scripted-server.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, MESSAGE, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');
const OTHER_CHANNEL = 'a83d6f05-1c9b-5247-8e6a-b2f94d0713ce';

function limited(header: string | undefined, bodySeconds?: unknown): Answer {
  return {
    status: 429,
    headers: header === undefined ? {} : { 'retry-after': header },
    json: {
      code: 'bot_rate_limited',
      message: 'Too many requests.',
      details: bodySeconds === undefined ? {} : { retryAfterSeconds: bodySeconds },
      requestId: 'req-5f2c81d1',
    },
  };
}

describe('a rate limited call', () => {
  it('waits as long as the headers and body of the platform document say, and goes again', async () => {
    const clock = createWatchedClock({ stepping: true });
    const headers = readFixture('rate-limit-headers') as Record<string, string>;
    const json = readFixture('error-rate-limited');
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? { status: 429, headers, json } : { json: me },
    );
    const rest = openRest(server.url, { clock });
    const watched: string[] = [];
    rest.observe((endpoint, run) => {
      watched.push(endpoint);
      return run();
    });
    expect(await rest.users.me()).toEqual(me);
    expect(clock.sleepsMs).toEqual([2_100]);
    expect(server.requests).toHaveLength(2);
    expect(rest.limits().rateLimited).toBe(1);
    expect(watched).toEqual(['users.me']);
  });

  it.each([
    ['the header', '3', undefined, 3_000],
    ['the body', undefined, 4, 4_000],
    ['the larger: the body', '1', 6, 6_000],
    ['the larger: the header', '6', 1, 6_000],
    ['1 s for 0', '0', 0, 1_000],
    ['5 s when absent', undefined, undefined, 5_000],
    ['1 s for a negative one', '-3', undefined, 1_000],
    ['5 s for text', 'soon', 'later', 5_000],
    ['a fraction', '1.5', 2.5, 2_500],
    ['1 s for a date that is past', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined, 1_000],
  ])('waits by %s', async (_name, header, body, expectedMs) => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? limited(header, body) : { json: me },
    );
    await openRest(server.url, { clock, random: () => 0 }).users.me();
    expect(clock.sleepsMs).toEqual([expectedMs]);
  });

  it('does not count as a failed try', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer((_request, index) =>
      index < 6 ? limited('1') : { json: me },
    );
    expect(await openRest(server.url, { clock }).users.me()).toEqual(me);
    expect(server.requests).toHaveLength(7);
  });

  it('is sent again even when it must not be sent twice: it was not carried out', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? limited('1') : {},
    );
    await openRest(server.url, { clock }).messages.send(CHANNEL, { content: 'x' });
    expect(server.requests).toHaveLength(2);
  });

  it('ends with E_RATE_LIMITED when the wait does not fit its deadline', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => limited('31'));
    const error = await errorOf(openRest(server.url, { clock }).users.me());
    expect(isRateLimited(error)).toBe(true);
    expect(error.details).toMatchObject({
      retryAfterMs: 31_000,
      route: 'GET /users/@me',
      requestId: 'req-5f2c81d1',
      attempts: 1,
    });
    expect(error.hint).toContain('31 s');
    expect(clock.sleepsMs).toEqual([]);
  });

  it('reports whether an earlier try may have taken effect', async () => {
    const clock = createWatchedClock({ stepping: true });
    const answers = [limited('31'), { status: 503 }, limited('31')];
    const server = await startScriptedServer((_request, index) => answers[index] ?? {});
    for (const maybeSent of [false, true]) {
      const error = await errorOf(openRest(server.url, { clock }).interactions.defer(INTERACTION));
      expect(error).toMatchObject({ code: 'E_RATE_LIMITED', details: { maybeSent } });
    }
  });

  it('never waits past its deadline while the platform answers every request with 429', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => limited('4'));
    const error = await errorOf(openRest(server.url, { clock }).users.me());
    expect(error.code).toBe('E_RATE_LIMITED');
    expect(error.details['attempts']).toBe(8);
    expect(error.details['elapsedMs']).toBeLessThan(30_000);
  });
});

describe('a pause', () => {
  it('holds back calls of the same route and channel, and no others', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer((request, index) =>
      index === 0
        ? limited('10')
        : request.method === 'GET'
          ? { json: readFixture('message-page') }
          : {},
    );
    const rest = openRest(server.url, { clock, random: () => 0 });
    const first = rest.messages.send(CHANNEL, { content: '1' });
    await eventually(() => expect(clock.sleeping).toBe(1));
    const second = rest.messages.send(CHANNEL, { content: '2' });
    await eventually(() => expect(rest.limits().queued.awaited).toBe(2));
    expect(clock.sleeping).toBe(1);
    expect(server.requests).toHaveLength(1);

    await rest.messages.send(OTHER_CHANNEL, { content: '3' });
    await rest.messages.list(CHANNEL);
    expect(server.requests).toHaveLength(3);

    await clock.advance(9_999);
    expect(server.requests).toHaveLength(3);
    await clock.advance(1);
    await Promise.all([first, second]);
    expect(server.requests).toHaveLength(5);
  });

  it('fails a call at once, unsent, when it outlasts its deadline', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? limited('10') : {},
    );
    const rest = openRest(server.url, { clock, random: () => 0 });
    const first = rest.messages.delete(CHANNEL, MESSAGE);
    await eventually(() => expect(clock.sleeping).toBe(1));
    await clock.advance(4_000);
    const error = await errorOf(rest.messages.delete(CHANNEL, MESSAGE, { deadlineMs: 5_000 }));
    expect(error.code).toBe('E_RATE_LIMITED');
    expect(error.details).toMatchObject({ retryAfterMs: 6_000, attempts: 0 });
    await clock.advance(6_000);
    await first;
  });

  it('of one interaction does not hold back another, whose call is accepted', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer(({ path }) =>
      path.includes(INTERACTION) ? limited('10') : {},
    );
    const rest = openRest(server.url, { clock, deadlineMs: 5_000 });
    await rest.interactions.defer(MESSAGE);
    expect((await errorOf(rest.interactions.defer(INTERACTION))).code).toBe('E_RATE_LIMITED');
    await rest.interactions.defer(MESSAGE);
    expect(server.requests).toHaveLength(3);
    expect((await errorOf(rest.interactions.defer(INTERACTION))).code).toBe('E_RATE_LIMITED');
    expect(server.requests).toHaveLength(3);
  });
});

describe('interactions', () => {
  it('never wait behind other calls or behind each other', async () => {
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url);
    const ending = new AbortController();
    const { signal } = ending;
    const id = (index: number): string =>
      `8a5c0e7f-d913-4b26-ae84-${String(index).padStart(12, '0')}`;
    const calls = [
      ...Array.from({ length: 40 }, () => rest.messages.list(CHANNEL, {}, { signal })),
      ...Array.from({ length: 40 }, (_, index) =>
        rest.interactions.respond(id(index), { content: 'x' }, { signal }),
      ),
    ].map((call) => errorOf(call));
    const answers = (): unknown[] =>
      server.requests.filter(({ path }) => path.includes('/interactions/'));
    await eventually(() => expect(answers()).toHaveLength(40));
    ending.abort();
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['E_ABORTED']));
  });
});
