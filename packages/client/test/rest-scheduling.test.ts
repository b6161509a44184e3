import { getEventListeners } from 'node:events';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  isOverloaded,
  isUnreachable,
  type HttpDispatcher,
  type HttpHandler,
} from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, errorOf, openRest } from './test-rest.js';

const OTHER_CHANNEL = 'a83d6f05-1c9b-5247-8e6a-b2f94d0713ce';
const BASE_URL = 'https://chat.example.com';
const noController = { abort: () => {} };

interface Held {
  readonly path: string;
  readonly handler: HttpHandler;
}

/** Holds every request until it is answered by hand. */
function createHoldingDispatcher() {
  const held: Held[] = [];
  const dispatcher: HttpDispatcher = {
    dispatch({ path }, handler) {
      held.push({ path, handler });
      handler.onRequestStart(noController);
    },
  };
  const answer = (handler: HttpHandler, status = 200, json?: unknown): void => {
    handler.onResponseStart(noController, status, {});
    if (json !== undefined) {
      handler.onResponseData(noController, Buffer.from(JSON.stringify(json)));
    }
    handler.onResponseEnd(noController);
  };
  return { dispatcher, held, answer };
}

/** Lets promises run. */
const settle = (): Promise<void> => createFakeClock().advance(0);

describe('calls that wait for their turn', () => {
  it('go in order within a channel, and do not wait for another channel', async () => {
    const { dispatcher, held, answer } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher });
    const calls = ['1', '2', '3'].map((content) => rest.messages.send(CHANNEL, { content }));
    calls.push(rest.messages.send(OTHER_CHANNEL, { content: 'other' }));
    await settle();
    expect(held.map(({ path }) => path.includes(CHANNEL))).toEqual([true, false]);
    expect(rest.limits().queued.awaited).toBe(2);
    for (let index = 0; index < 4; index += 1) {
      const next = held[index];
      if (next) answer(next.handler);
      await settle();
    }
    await Promise.all(calls);
    expect(held).toHaveLength(4);
  });

  it('go in order within an interaction, whatever they are, and do not wait for another one', async () => {
    const { dispatcher, held, answer } = createHoldingDispatcher();
    const clock = createWatchedClock();
    const rest = openRest(BASE_URL, { dispatcher, clock, random: () => 0 });
    const { interactions } = rest;
    const calls = [
      interactions.defer(INTERACTION),
      interactions.respond(INTERACTION, { content: '1' }),
      interactions.followUp(INTERACTION, { content: '2' }),
      interactions.followUp(INTERACTION, { content: '3' }),
      interactions.editResponse(INTERACTION, { content: '4' }),
      interactions.defer(CHANNEL),
    ];
    const sent = (): (string | undefined)[] => held.map(({ path }) => path.split('/').at(-1));
    await settle();
    expect(sent()).toEqual(['defer', 'defer']);
    const [first, other] = held;
    if (other) answer(other.handler);
    // A rate limit, and then it is sent again: the others still wait for it.
    first?.handler.onResponseStart(noController, 429, { 'retry-after': '1' });
    first?.handler.onResponseEnd(noController);
    await clock.advance(1_000);
    for (let index = 2; index < 7; index += 1) {
      const next = held[index];
      if (next) answer(next.handler);
      await settle();
    }
    await Promise.all(calls);
    expect(sent().slice(2)).toEqual(['defer', 'response', 'follow-ups', 'follow-ups', 'response']);
  });

  it('go at once when the caller itself makes the calls of an interaction one after another', async () => {
    const { dispatcher, held } = createHoldingDispatcher();
    const { interactions } = openRest(BASE_URL, { dispatcher });
    const calls = ['1', '2'].map((content) =>
      errorOf(interactions.followUp(INTERACTION, { content }, { isSequential: true })),
    );
    await settle();
    expect(held).toHaveLength(2);
    for (const { handler } of held) handler.onResponseError(noController, new Error('over'));
    await Promise.all(calls);
  });

  it('let interactions pass, and background calls wait for awaited ones', async () => {
    const { dispatcher, held, answer } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher });
    const ending = new AbortController();
    const { signal } = ending;
    const list = (priority: 'awaited' | 'background'): Promise<unknown> =>
      errorOf(rest.messages.list(CHANNEL, {}, { signal, priority }));
    const calls = Array.from({ length: 32 }, () => list('awaited'));
    calls.push(errorOf(rest.servers.list({ signal, priority: 'background' })), list('awaited'));
    const interactions = Array.from({ length: 64 }, (_, index) =>
      rest.interactions.defer(`8a5c0e7f-d913-4b26-ae84-${String(index).padStart(12, '0')}`),
    );
    await settle();
    expect(held).toHaveLength(96);
    expect(rest.limits()).toMatchObject({
      inFlight: { interaction: 64, general: 32 },
      queued: { interaction: 0, awaited: 1, background: 1 },
    });
    for (const { path, handler } of held) if (path.includes('/interactions/')) answer(handler);
    await Promise.all(interactions);
    held[0]?.handler.onResponseError(noController, new Error('reset'));
    await settle();
    expect(held.at(-1)?.path).toContain(CHANNEL);
    ending.abort();
    await Promise.all(calls);
    expect(rest.limits().queued).toEqual({ interaction: 0, awaited: 0, background: 0 });
  });

  it('let files of interactions pass, several of one channel at once', async () => {
    const { dispatcher, held } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher });
    const ending = new AbortController();
    const { signal } = ending;
    const calls = Array.from({ length: 33 }, () =>
      errorOf(rest.messages.list(CHANNEL, {}, { signal })),
    );
    const files = [new Uint8Array(1), new Uint8Array(2)];
    const answer = { channelId: CHANNEL, files };
    calls.push(errorOf(rest.interactions.respond(INTERACTION, answer, { signal })));
    await settle();
    const sessions = held.filter(({ path }) => path.endsWith('/upload-session'));
    expect([held.length, sessions.length]).toEqual([34, 2]);
    ending.abort();
    await Promise.all(calls);
  });

  it('have the priority that is passed to history', async () => {
    const { dispatcher } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher });
    const ending = new AbortController();
    const { signal } = ending;
    const reads = Array.from({ length: 40 }, () =>
      errorOf(rest.messages.history(CHANNEL, { priority: 'background', signal }).next()),
    );
    await settle();
    expect(rest.limits().queued).toEqual({ interaction: 0, awaited: 0, background: 8 });
    ending.abort();
    await Promise.all(reads);
  });

  it('end at once when they are aborted, and leave nothing behind', async () => {
    const clock = createFakeClock();
    const { dispatcher, held, answer } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher, clock });
    const first = rest.messages.send(CHANNEL, { content: '1' });
    const ending = new AbortController();
    const queued = errorOf(
      rest.messages.send(CHANNEL, { content: '2' }, { signal: ending.signal }),
    );
    const third = rest.messages.send(CHANNEL, { content: '3' });
    await settle();
    ending.abort();
    const error = await queued;
    expect(error.code).toBe('E_ABORTED');
    expect(error.details).toMatchObject({ phase: 'waiting', attempts: 0, maybeSent: false });
    for (const index of [0, 1]) {
      const next = held[index];
      if (next) answer(next.handler);
      await settle();
    }
    await Promise.all([first, third]);
    expect(held).toHaveLength(2);
    await rest.close();
    expect(clock.pending).toBe(0);
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
  });

  it('leave no listener on a signal that 1,000 of them shared', async () => {
    const clock = createFakeClock();
    const { dispatcher } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher, clock });
    const ending = new AbortController();
    const { signal } = ending;
    const calls = Array.from({ length: 1_000 }, () =>
      errorOf(rest.messages.send(CHANNEL, { content: 'x' }, { signal })),
    );
    await settle();
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(2);
    ending.abort();
    const codes = new Set((await Promise.all(calls)).map(({ code }) => code));
    expect(codes).toEqual(new Set(['E_ABORTED']));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(rest.limits().queued.awaited).toBe(0);
    await rest.close();
    expect(clock.pending).toBe(0);
  });

  it('end with E_OVERLOADED when 10,000 wait already', async () => {
    const { dispatcher } = createHoldingDispatcher();
    const rest = openRest(BASE_URL, { dispatcher, clock: createFakeClock() });
    const ending = new AbortController();
    const { signal } = ending;
    const calls = Array.from({ length: 10_032 }, () =>
      errorOf(rest.messages.list(CHANNEL, {}, { signal })),
    );
    await settle();
    const error = await errorOf(rest.messages.list(CHANNEL));
    expect(isOverloaded(error)).toBe(true);
    expect(error.message).toBe(
      '10,000 calls are already waiting; GET /channels/{channelId}/messages was not sent.',
    );
    expect(error.details).toMatchObject({ priority: 'awaited', attempts: 0 });
    await rest.interactions.defer(INTERACTION, { signal: AbortSignal.abort() }).catch(() => {});
    ending.abort();
    await Promise.all(calls);
  });

  it('end when the client is closed', async () => {
    const { dispatcher } = createHoldingDispatcher();
    const clock = createFakeClock();
    const rest = openRest(BASE_URL, { dispatcher, clock });
    const calls = Array.from({ length: 1_000 }, () => errorOf(rest.messages.list(CHANNEL)));
    await settle();
    const closing = rest.close();
    await clock.advance(5_000);
    await closing;
    const codes = new Set((await Promise.all(calls)).map(({ code }) => code));
    expect(codes).toEqual(new Set(['E_SHUTTING_DOWN']));
    expect(clock.pending).toBe(0);
  });
});

describe('a platform that cannot be reached', () => {
  it('is not hammered: after ten faults in a row calls wait for a probe', async () => {
    const clock = createWatchedClock();
    let sent = 0;
    let reachable = false;
    const dispatcher: HttpDispatcher = {
      dispatch(_request, handler) {
        sent += 1;
        if (!reachable) {
          handler.onResponseError(undefined, new Error('refused'));
          return;
        }
        handler.onRequestStart(noController);
        handler.onResponseStart(noController, 200, {});
        handler.onResponseData(noController, Buffer.from(JSON.stringify(readFixture('bot-me'))));
        handler.onResponseEnd(noController);
      },
    };
    const rest = openRest(BASE_URL, { dispatcher, clock, random: () => 0 });
    const failing = Array.from({ length: 10 }, () => errorOf(rest.users.me({ deadlineMs: 900 })));
    await clock.advance(900);
    for (const error of await Promise.all(failing)) expect(isUnreachable(error)).toBe(true);
    expect(sent).toBe(10);
    expect(rest.limits().origins).toMatchObject([
      { origin: BASE_URL, isCircuitOpen: true, faults: 10 },
    ]);

    reachable = true;
    const calls = Array.from({ length: 5 }, () => rest.users.me());
    const hurried = errorOf(rest.users.me({ deadlineMs: 50 }));
    await clock.advance(50);
    expect((await hurried).message).toContain('cannot be reached');
    expect(sent).toBe(10);
    await clock.advance(1_000);
    expect(await Promise.all(calls)).toHaveLength(5);
    expect(rest.limits().origins).toMatchObject([{ isCircuitOpen: false, faults: 0 }]);
  });
});
