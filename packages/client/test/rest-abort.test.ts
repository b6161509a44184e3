import { getEventListeners } from 'node:events';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAborted } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { watchBody } from './watched-body.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

describe('a signal', () => {
  it('that was aborted before keeps the call from the wire', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const reason = new Error('changed my mind');
    const error = await errorOf(
      openRest(server.url).users.me({ signal: AbortSignal.abort(reason) }),
    );
    expect(isAborted(error)).toBe(true);
    expect(error.details).toMatchObject({ phase: 'waiting', maybeSent: false, attempts: 0 });
    expect(error.cause).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  it('ends a call that waits for a rate limit, at once', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer(() => ({
      status: 429,
      headers: { 'retry-after': '20' },
    }));
    const ending = new AbortController();
    const rest = openRest(server.url, { clock });
    const call = errorOf(rest.users.me({ signal: ending.signal }));
    await eventually(() => expect(clock.sleeping).toBe(1));
    const beforeMs = clock.now();
    ending.abort();
    expect((await call).details).toMatchObject({ phase: 'waiting', attempts: 1 });
    expect(clock.now()).toBe(beforeMs);
    await rest.close();
    expect(clock.pending).toBe(0);
  });

  it('ends a call that waits for another try', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer(() => ({ status: 503 }));
    const ending = new AbortController();
    const call = errorOf(openRest(server.url, { clock }).users.me({ signal: ending.signal }));
    await eventually(() => expect(clock.sleeping).toBe(1));
    ending.abort();
    expect((await call).details).toMatchObject({ phase: 'waiting', maybeSent: true });
    expect(server.requests).toHaveLength(1);
  });

  it('ends a call that waits for a connection, and it is never sent', async () => {
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? 'stall' : { json: me },
    );
    const dispatcher = new Pool(server.url, { connections: 1, pipelining: 1 });
    onTestFinished(() => dispatcher.destroy());
    const rest = openRest(server.url, { dispatcher });
    const first = new AbortController();
    const second = new AbortController();
    const inFlight = errorOf(rest.users.me({ signal: first.signal }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    const queued = errorOf(
      rest.messages.send(CHANNEL, { content: 'x' }, { signal: second.signal }),
    );

    second.abort();
    expect((await queued).details).toMatchObject({ phase: 'connecting', maybeSent: false });
    first.abort();
    await inFlight;
    await rest.users.me();
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('ends a call that is aborted in the moment that its request is handed over', async () => {
    const ending = new AbortController();
    // This dispatcher keeps each request, as one without a free connection does.
    const dispatcher = { dispatch: () => ending.abort('enough') };
    const rest = openRest('http://chat.test', { dispatcher, clock: createWatchedClock() });
    const error = await errorOf(rest.users.me({ signal: ending.signal }));
    expect(isAborted(error)).toBe(true);
    expect(error.details).toMatchObject({ phase: 'connecting', maybeSent: false });
  });

  it('ends a call that waits for its answer, and says that it may have been sent', async () => {
    const server = await startScriptedServer(() => 'stall');
    const ending = new AbortController();
    const { signal } = ending;
    const call = errorOf(openRest(server.url).messages.send(CHANNEL, { content: 'x' }, { signal }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    ending.abort();
    const error = await call;
    expect(error.code).toBe('E_ABORTED');
    expect(error.details).toMatchObject({ phase: 'headers', maybeSent: true });
    expect(error.hint).toContain('may have taken effect');
  });

  it('ends a call whose answer is being read', async () => {
    const server = await startScriptedServer(() => ({ half: 'stall' }));
    const ending = new AbortController();
    const dispatcher = watchBody(server.url, () => ending.abort());
    const rest = openRest(server.url, { dispatcher });
    const error = await errorOf(rest.users.me({ signal: ending.signal }));
    expect(error.code).toBe('E_ABORTED');
    expect(error.details['phase']).toBe('body');
  });

  it('is left without listeners, however often and however the calls end', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(({ path }, index) => {
      if (path.endsWith('/servers')) return { status: 404 };
      if (index % 5 === 0) return { status: 503 };
      return index % 7 === 0 ? { status: 429 } : { json: me };
    });
    const rest = openRest(server.url, { clock });
    const { signal } = new AbortController();
    for (let round = 0; round < 25; round += 1) {
      await rest.users.me({ signal });
      await errorOf(rest.servers.list({ signal }));
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('shared by many calls at once gets one listener, so that Node.js sees no leak', async () => {
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url);
    const ending = new AbortController();
    const { signal } = ending;
    const calls = Array.from({ length: 16 }, () => errorOf(rest.users.me({ signal })));
    await eventually(() => expect(server.requests).toHaveLength(16));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    ending.abort();
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['E_ABORTED']));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
