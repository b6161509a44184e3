import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import type { Rest } from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import { createScriptedDispatcher, type Mishap, type Reply } from './scripted-dispatcher.js';
import { CHANNEL, INTERACTION, MESSAGE, errorOf, openRest } from './test-rest.js';

const BASE_URL = 'https://chat.test';
const USER = '0b7e5d21-64c8-4f39-a05b-e8d1973c6f42';
const EMOJI = { unicodeEmoji: '🎲' };
const TEXT = { content: 'Hi' };

type Write = readonly [isRepeatable: boolean, call: (rest: Rest) => Promise<unknown>];

/** Every endpoint that changes something and whose answer is not stated. */
const WRITES: Readonly<Record<string, Write>> = {
  'messages.send': [false, (rest) => rest.messages.send(CHANNEL, TEXT)],
  'messages.delete': [true, (rest) => rest.messages.delete(CHANNEL, MESSAGE)],
  'messages.edit': [true, (rest) => rest.messages.edit(CHANNEL, MESSAGE, TEXT)],
  'channels.typing': [true, (rest) => rest.channels.typing(CHANNEL)],
  'reactions.clear': [true, (rest) => rest.reactions.clear(CHANNEL, MESSAGE)],
  'reactions.remove': [true, (rest) => rest.reactions.remove(CHANNEL, MESSAGE, EMOJI)],
  'reactions.add': [true, (rest) => rest.reactions.add(CHANNEL, MESSAGE, EMOJI)],
  'reactions.removeUser': [
    true,
    (rest) => rest.reactions.removeUser(CHANNEL, MESSAGE, USER, EMOJI),
  ],
  'voice.closeIngress': [true, (rest) => rest.voice.closeIngress(CHANNEL)],
  'voice.leave': [true, (rest) => rest.voice.leave(CHANNEL)],
  'commands.replace': [true, (rest) => rest.commands.replace([])],
  'interactions.ack': [true, (rest) => rest.interactions.ack(INTERACTION)],
  'interactions.defer': [true, (rest) => rest.interactions.defer(INTERACTION)],
  'interactions.followUp': [false, (rest) => rest.interactions.followUp(INTERACTION, TEXT)],
  'interactions.editResponse': [true, (rest) => rest.interactions.editResponse(INTERACTION, TEXT)],
  'interactions.respond': [false, (rest) => rest.interactions.respond(INTERACTION, TEXT)],
};

const html = { 'content-type': 'text/html; charset=utf-8' };

/** Bodies that say nothing about who sent them. */
const OTHERS: Readonly<Record<string, Reply>> = {
  'an empty body typed as HTML': { headers: html },
  'no content': {},
  OK: { text: 'OK', headers: { 'content-type': 'text/plain' } },
};

/** Bodies that the platform does not send. */
const PAGES: Readonly<Record<string, Reply>> = {
  'typed HTML': { headers: html, text: 'We are back soon.' },
  XHTML: { headers: { 'content-type': 'application/xhtml+xml' }, text: 'Back soon.' },
  'untyped HTML': { text: '<!doctype html><h1>Back soon</h1>' },
  'HTML after a byte order mark and blanks': { text: '\uFEFF \r\n\t<html>' },
  'HTML that says it is JSON': { headers: { 'content-type': 'application/json' }, text: '<p>' },
};

/** A client whose requests are answered in turn, the last answer again and again. */
function open(...replies: readonly (Reply | Mishap)[]) {
  const clock = createFakeClock();
  const warnings: string[] = [];
  const dispatcher = createScriptedDispatcher(
    (_request, index) => replies[Math.min(index, replies.length - 1)] ?? 'silence',
  );
  const ignore = (): void => {};
  const warn = (_details: object, message: string): void => void warnings.push(message);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  const rest = openRest(BASE_URL, { clock, dispatcher, log, random: () => 0 });
  /** Returns the end of a call: `done`, or its code. */
  const end = async (call: Promise<unknown>): Promise<string> => {
    let isOver = false;
    const ended = call
      .then(
        () => 'done',
        async (error: unknown) => (await errorOf(Promise.reject(error))).code,
      )
      .finally(() => (isOver = true));
    while (!isOver) await clock.advance(1_000);
    return ended;
  };
  return { clock, rest, dispatcher, warnings, end };
}

describe.each(Object.entries(WRITES))('%s', (_name, [isRepeatable, call]) => {
  const refusals: readonly [number, string][] = [
    [200, 'done'],
    [401, 'E_UNAUTHORIZED'],
    [404, 'E_API_REFUSED'],
    [503, isRepeatable ? 'E_API_REFUSED' : 'E_OUTCOME_UNKNOWN'],
  ];
  it.each(refusals)('goes by the status %i where the body says nothing', async (status, code) => {
    for (const reply of Object.values(OTHERS)) {
      // A 404 with a text is not the platform's.
      if (reply.text && status === 404) continue;
      const { rest, end } = open({ ...reply, status: reply.text || status > 200 ? status : 204 });
      expect(await end(call(rest))).toBe(code);
    }
  });

  it.each([200, 401, 404, 503])('does not believe %i with a page', async (status) => {
    for (const page of Object.values(PAGES)) {
      const { rest, dispatcher, warnings, end } = open({ ...page, status }, {});
      expect(await end(call(rest))).toBe(isRepeatable ? 'done' : 'E_OUTCOME_UNKNOWN');
      expect(dispatcher.requests).toHaveLength(isRepeatable ? 2 : 1);
      expect(warnings).toEqual(['an HTML page came in place of an answer of the platform']);
      expect(rest.tokenRefused.aborted).toBe(false);
    }
  });

  it('does not believe 404 with a text', async () => {
    const { rest, warnings, end } = open({ text: '404 page not found', status: 404 }, {});
    expect(await end(call(rest))).toBe(isRepeatable ? 'done' : 'E_OUTCOME_UNKNOWN');
    expect(warnings).toEqual(['text instead of JSON came in place of an answer of the platform']);
  });

  it.each([301, 302, 303, 307, 308])('does not believe a redirect with %i', async (status) => {
    const { rest, dispatcher, warnings, end } = open({ status, headers: { location: '/x' } }, {});
    expect(await end(call(rest))).toBe(isRepeatable ? 'done' : 'E_OUTCOME_UNKNOWN');
    expect(dispatcher.requests).toHaveLength(isRepeatable ? 2 : 1);
    expect(warnings).toEqual(['a redirect came in place of an answer of the platform']);
  });
});

describe('the circuit breaker', () => {
  const coded = { code: 'service_unavailable', message: 'x', details: {}, requestId: 'q' };

  it.each<[string, Reply, number]>([
    ['a page', { headers: html, text: '<html>' }, 12],
    ['a redirect without a body', { status: 302 }, 12],
    ['a 404 with a text', { status: 404, text: 'no such page' }, 12],
    ['521 of a proxy', { status: 521, text: 'error code: 521' }, 12],
    ['an empty 500', { status: 500 }, 12],
    ['504 with JSON of a proxy', { status: 504, json: { message: 'timeout' } }, 12],
    ['503 of the platform', { status: 503, json: coded }, 0],
    ['500 of the platform', { status: 500, json: coded }, 0],
  ])('counts %s: %j is %i faults', async (_name, reply, faults) => {
    const { rest, end } = open(reply);
    for (let count = 0; count < 4; count += 1) {
      await end(rest.interactions.respond(INTERACTION, TEXT));
      await end(rest.messages.send(CHANNEL, TEXT));
      await end(rest.interactions.followUp(INTERACTION, TEXT));
    }
    expect(rest.limits().origins).toMatchObject([{ faults, isCircuitOpen: faults > 0 }]);
  });

  it('is not opened by a route that the platform lacks', async () => {
    const { rest, end } = open({ status: 404, text: 'no such page' });
    for (let count = 0; count < 12; count += 1) await end(rest.messages.send(CHANNEL, TEXT));
    expect(rest.limits().origins).toMatchObject([{ faults: 9, isCircuitOpen: false }]);
  });
});

describe('a page in place of an answer', () => {
  const page: Reply = { headers: html, text: '<html>' };

  it.each(['servers.list', 'interactions.editResponse'])(
    'is waited out if it is a text: %s',
    async (name) => {
      const text: Reply = { status: 404, text: '404 page not found' };
      const answer: Reply = { json: [] };
      const { rest, end } = open(...Array.from({ length: 5 }, () => text), answer);
      const list = (): Promise<unknown> => rest.servers.list();
      expect(await end(WRITES[name]?.[1](rest) ?? list())).toBe('done');
    },
  );

  it('is the error of a read that met no answer', async () => {
    const { rest, clock } = open(page);
    const failing = errorOf(rest.users.me({ deadlineMs: 3_000 }));
    await clock.advance(3_000);
    expect(await failing).toMatchObject({
      code: 'E_UNREACHABLE',
      message: expect.stringMatching(
        /^https:\/\/chat\.test cannot be reached \(an HTML page with status 200, \d+ tries\); GET \/users\/@me was not answered\.$/,
      ),
      hint: expect.stringContaining('login page'),
    });
  });

  it('is known by its first piece where the rest is lost', async () => {
    const broken = openRest(BASE_URL, {
      dispatcher: {
        dispatch(_request, handler) {
          const controller = { abort: () => {} };
          handler.onRequestStart(controller);
          handler.onResponseStart(controller, 200, {});
          handler.onResponseData(controller, Buffer.from('<html>'));
          handler.onResponseError(controller, new Error('reset'));
        },
      },
    });
    const error = await errorOf(broken.messages.send(CHANNEL, TEXT));
    expect(error.code).toBe('E_OUTCOME_UNKNOWN');
    expect(error.message).toContain('was answered 200 with an HTML page');
  });

  it('is reported again only after a minute without one', async () => {
    const { rest, warnings, clock, end } = open(page);
    for (let count = 0; count < 5; count += 1)
      await end(rest.interactions.respond(INTERACTION, TEXT));
    expect(warnings).toHaveLength(1);
    await clock.advance(61_000);
    await end(rest.interactions.respond(INTERACTION, TEXT));
    expect(warnings).toHaveLength(2);
  });

  it('is a rate limit with status 429: nothing was carried out', async () => {
    const { rest, dispatcher, end } = open(
      { ...page, status: 429, headers: { ...html, 'retry-after': '2' } },
      {},
    );
    expect(await end(rest.messages.send(CHANNEL, TEXT))).toBe('done');
    expect(dispatcher.requests).toHaveLength(2);
  });

  it('may be what a storage answers to an upload', async () => {
    const session = Object(readFixture('upload-session'));
    const { rest } = open(page);
    const file = { fileName: 'a', contentType: 'text/plain', bytes: new Uint8Array([1]) };
    const toStorage = { ...session, uploadUrl: `${BASE_URL}/put`, fields: {} };
    await expect(rest.attachments.upload(toStorage, file)).resolves.toBeUndefined();
  });
});
