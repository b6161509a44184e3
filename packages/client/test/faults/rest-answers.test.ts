import { describe, expect, it } from 'vitest';
import { readFixture } from '../read-fixture.js';
import { CHANNEL } from '../test-rest.js';
import { refusal } from './platform-routes.js';
import type { Answer } from '../scripted-server.js';
import { lost, normal, refused } from './platform.js';
import { DEADLINE_MS, openRestWorld } from './rest-world.js';
import { inTurn, me, send, sent } from './usual-calls.js';
import { eventually } from '../eventually.js';

function limited(headers: Record<string, string>, bodySeconds?: unknown): Answer {
  const details = bodySeconds === undefined ? {} : { retryAfterSeconds: bodySeconds };
  return { status: 429, headers, json: refusal('bot_rate_limited', details) };
}

/** Time added to a wait that the server asked for: half of at most 250 ms. */
const JITTER_MS = 125;

describe('a client and faulty responses', () => {
  it('#15 429 with Retry-After 1: the call waits that long, and is sent once more', async () => {
    const world = await openRestWorld({ script: inTurn(refused(limited({ 'retry-after': '1' }))) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle(25);
    expect(call.error).toBeUndefined();
    expect(world.platform.requests).toHaveLength(2);
    expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(1_000);
    expect(world.clock.elapsedMs).toBeLessThan(1_500);
    await world.end();
  });

  it('#16 Retry-After 0: no hot loop, at most one request a second until the deadline', async () => {
    const world = await openRestWorld({
      script: () => refused(limited({ 'retry-after': '0' }, 0)),
    });
    let retries = 0;
    const call = world.call(sent('hello'), (rest) =>
      rest.messages.send(CHANNEL, { content: 'hello' }, { onRetry: () => void (retries += 1) }),
    );
    // Time does not advance while a request is on the wire, so that no deadline comes there.
    for (let tries = 1; call.settlements === 0; tries += 1) {
      await eventually(() => expect(call.settlements === 1 || retries >= tries).toBe(true));
      await world.clock.advance(1_000 + JITTER_MS);
    }
    expect(call.code).toMatch(/^E_(RATE_LIMITED|TIMEOUT)$/);
    expect(world.platform.requests.length).toBeGreaterThan(1);
    expect(world.platform.requests.length).toBeLessThanOrEqual(30);
    await world.end();
  });

  it.each([
    ['absent', {}, undefined, 5_000],
    ['negative', { 'retry-after': '-7' }, -7, 1_000],
    ['text', { 'retry-after': 'soon' }, 'soon', 5_000],
    ['a fraction', { 'retry-after': '2.5' }, 0.5, 2_500],
    ['an HTTP date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT' }, undefined, 2_000],
  ])(
    '#17 Retry-After %s: the call waits as long as it says and 1 s at least, or 5 s',
    async (_what, headers, seconds, waitMs) => {
      const world = await openRestWorld({ script: inTurn(refused(limited(headers, seconds))) });
      const call = world.call(sent('hello'), send('hello'));
      await eventually(() => expect(world.platform.requests).toHaveLength(1));
      await world.clock.push(0, () => expect(world.clock.pending).toBeGreaterThan(0));
      await world.settle(25);
      expect(call.error).toBeUndefined();
      expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(waitMs);
      expect(world.clock.elapsedMs).toBeLessThan(waitMs + 500);
      await world.end();
    },
  );

  it.each(['2147483648', '99999999999999999999'])(
    '#17 Retry-After %s: the call ends at once instead of waiting, and no timer overflows',
    async (seconds) => {
      const world = await openRestWorld({
        script: () => refused(limited({ 'retry-after': seconds })),
      });
      world.call(sent('hello'), send('hello'));
      await world.settle();
      expect(world.platform.requests.length).toBeLessThanOrEqual(6);
      await world.end();
    },
  );

  it.each([
    ['1', 4, 4_000],
    ['4', 1, 4_000],
    ['nonsense', 2, 2_000],
    ['2', 'nonsense', 2_000],
  ])('#18 header says %s, body says %s: the longer wait counts', async (header, body, waitMs) => {
    const world = await openRestWorld({
      script: inTurn(refused(limited({ 'retry-after': header }, body))),
    });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle(25);
    expect(call.error).toBeUndefined();
    expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(waitMs + JITTER_MS);
    expect(world.clock.elapsedMs).toBeLessThan(waitMs + 500);
    await world.end();
  });

  const nowSeconds = Date.UTC(2026, 0, 1) / 1_000;
  it.each([
    ['seconds from now', 3_600],
    ['milliseconds from now', 3_600_000],
    ['seconds since the epoch', nowSeconds + 3_600],
    ['milliseconds since the epoch', (nowSeconds + 3_600) * 1_000],
    ['a server clock that is an hour behind', nowSeconds - 3_600],
    ['the past', 0],
    ['a negative number', -5],
  ])('#19 X-RateLimit-Reset as %s: only Retry-After is waited for', async (_what, reset) => {
    const headers = {
      'retry-after': '1',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(reset),
    };
    const world = await openRestWorld({ script: inTurn(refused(limited(headers))) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle(25);
    expect(call.error).toBeUndefined();
    expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(1_000);
    expect(world.clock.elapsedMs).toBeLessThan(1_500);
    await world.end();
  });

  it('#23 429 on every request: each call ends within its deadline, and the platform is not flooded', async () => {
    const world = await openRestWorld({
      script: () => refused(limited({ 'retry-after': '2' })),
    });
    for (let index = 0; index < 20; index += 1) {
      world.call(sent(`hello ${index}`), send(`hello ${index}`));
    }
    await world.settle();
    const codes = new Set(world.calls.map(({ code }) => code));
    for (const code of codes) expect(code).toMatch(/^E_(RATE_LIMITED|TIMEOUT|OVERLOADED)$/);
    // 20 are sent at once, before the limit is known; from then on the bucket gets one every 2 s at most.
    expect(world.platform.requests.length).toBeLessThanOrEqual(20 + DEADLINE_MS / 2_000);
    await world.end();
  });

  it.each([502, 503, 504])('#24 %d with an HTML page: a read is repeated', async (status) => {
    const page = refused({
      status,
      headers: { 'content-type': 'text/html' },
      text: '<html><h1>Bad</h1></html>',
    });
    let isBad = false;
    const world = await openRestWorld({
      script: (_request, index) => (isBad || index < 2 ? page : normal),
    });
    const read = world.call(undefined, me);
    await world.settle();
    expect(read.error).toBeUndefined();
    isBad = true;
    const write = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(write.code).toBe('E_OUTCOME_UNKNOWN');
    expect(write.details).toMatchObject({ status });
    expect(world.platform.requests).toHaveLength(3 + 1);
    const failing = world.call(undefined, me);
    await world.settle();
    expect(failing.code).toBe('E_UNREACHABLE');
    expect(failing.details).toMatchObject({ reason: `an HTML page with status ${status}` });
    // A platform that is away is asked until the deadline.
    expect(Number(failing.details['attempts'])).toBeGreaterThan(20);
    await world.end();
  });

  it('#24 502 after the message was written: reported, never sent twice', async () => {
    const world = await openRestWorld({ script: inTurn(lost({ status: 502, text: '<html>' })) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(call.code).toBe('E_OUTCOME_UNKNOWN');
    expect(world.platform.effects.get(sent('hello'))).toBe(1);
    await world.end();
  });

  it.each([
    ['no code', { message: 'No.' }, ''],
    ['an unknown code', { code: 'bot_teapot', message: 'No.', requestId: 'r' }, 'bot_teapot'],
    ['a code that is no text', { code: 7, details: [], message: null }, ''],
    ['a list', [1, 2, 3], ''],
    ['null', null, ''],
  ])('#25 error JSON with %s: one typed error, not repeated', async (_what, json, apiCode) => {
    const world = await openRestWorld({ script: () => refused({ status: 418, json }) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(call.code).toBe('E_API_REFUSED');
    expect(call.details).toMatchObject({ status: 418, apiCode });
    expect(world.platform.requests).toHaveLength(1);
    await world.end();
  });

  it.each([
    ['an empty body', { text: '' }],
    ['another content type', { headers: { 'content-type': 'text/plain' }, text: 'hello' }],
    ['truncated JSON', { text: '{"applicationId":"5e9b' }],
    ['JSON of another shape', { json: [] }],
    ['no content', { status: 204 }],
  ])(
    '#26 200 with %s: a read fails with an error, a message counts as sent',
    async (_what, answer) => {
      const world = await openRestWorld({ script: () => lost(answer) });
      const read = world.call(undefined, me);
      const write = world.call(sent('hello'), send('hello'));
      const opened = world.call(`ingress ${CHANNEL}`, (rest) => rest.voice.openIngress(CHANNEL));
      await world.settle();
      expect(read.code).toBe('E_BAD_RESPONSE');
      expect([write.error, write.value]).toEqual([undefined, undefined]);
      expect(opened.code).toBe('E_BAD_RESPONSE');
      // The ingress that is open all the same is closed (DELETE).
      const { requests } = world.platform;
      expect(requests.filter(({ method }) => method !== 'DELETE')).toHaveLength(3);
      await world.end();
      expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    },
  );

  it('#26 200 of another content type with the right JSON: it is read anyway', async () => {
    const headers = { 'content-type': 'text/plain' };
    const text = JSON.stringify(readFixture('bot-me'));
    const world = await openRestWorld({ script: () => refused({ headers, text }) });
    const read = world.call(undefined, me);
    await world.settle();
    expect(read.value).toEqual(readFixture('bot-me'));
    await world.end();
  });

  it('#27 401 in flight, and the token is invalid: all waiting calls end, and nothing more is sent', async () => {
    let refuseNow = (): void => {};
    const refusing = new Promise<void>((resolve) => (refuseNow = resolve));
    const world = await openRestWorld({
      script: ({ method, path }) => {
        if (path === '/servers' || path === '/users/@me') {
          return {
            ...refused({ status: 401, json: refusal('bot_unauthorized') }),
            after: refusing,
          };
        }
        return method === 'POST' ? refused(limited({ 'retry-after': '20' })) : normal;
      },
    });
    const waiting = Array.from({ length: 10 }, (_, index) =>
      world.call(sent(`hello ${index}`), send(`hello ${index}`)),
    );
    const asking = world.call(undefined, (rest) => rest.servers.list());
    await eventually(() => expect(world.platform.requests.length).toBeGreaterThanOrEqual(2));
    await world.clock.push(0, () =>
      expect(world.platform.requests.some(({ path }) => path === '/servers')).toBe(true),
    );
    refuseNow();
    await world.settle(0);
    for (const { code } of [...waiting, asking]) expect(code).toBe('E_UNAUTHORIZED');
    const count = world.platform.requests.length;
    for (let index = 0; index < 50; index += 1) {
      world.call(sent(`later ${index}`), send(`later ${index}`));
      world.call(undefined, me);
    }
    await world.settle(0);
    await world.clock.advance(60_000);
    expect(world.platform.requests).toHaveLength(count);
    expect(new Set(world.calls.map(({ code }) => code))).toEqual(new Set(['E_UNAUTHORIZED']));
    await world.end();
  });

  it('#29 404 on a repeated DELETE: the first one did it, so the call is done', async () => {
    const world = await openRestWorld({
      script: (_request, index) => (index === 1 ? lost('reset') : normal),
    });
    const written = world.call(sent('target'), send('target'));
    await world.settle();
    const { id } = written.value as { readonly id: string };
    const deletion = world.call(`delete ${id}`, (rest) => rest.messages.delete(CHANNEL, id));
    await world.settle();
    expect(deletion.error).toBeUndefined();
    expect(world.platform.requests.map(({ method }) => method)).toEqual([
      'POST',
      'DELETE',
      'DELETE',
    ]);
    const again = world.call(undefined, (rest) => rest.messages.delete(CHANNEL, id));
    await world.settle();
    expect([again.code, again.details['status']]).toEqual(['E_API_REFUSED', 404]);
    await world.end();
  });
});
