import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import type { Rest } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer, type Answer, type Fault } from './scripted-server.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, MESSAGE, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

/** Answers with one after the other, and from then on with the last. */
const inTurn = (...answers: readonly (Answer | Fault)[]) => {
  return (_request: unknown, index: number): Answer | Fault =>
    answers[Math.min(index, answers.length - 1)] ?? 'stall';
};

describe('a request that failed on the way', () => {
  const faults: readonly (readonly [string, Answer | Fault])[] = [
    ['a reset before the answer', 'reset'],
    ['a reset in the body', { half: 'reset' }],
    ['500', { status: 500 }],
    ['502 with a page', { status: 502, text: '<html>' }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
  ];

  it.each(faults)('is sent again after %s when it only reads', async (_name, fault) => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(inTurn(fault, fault, { json: me }));
    expect(await openRest(server.url, { clock }).users.me()).toEqual(me);
    expect(server.requests).toHaveLength(3);
    expect(clock.sleepsMs).toEqual([125, 250]);
  });

  const repeatable: readonly (readonly [string, (rest: Rest) => Promise<unknown>])[] = [
    ['messages.edit', (rest) => rest.messages.edit(CHANNEL, MESSAGE, { content: 'x' })],
    ['messages.delete', (rest) => rest.messages.delete(CHANNEL, MESSAGE)],
    ['reactions.add', (rest) => rest.reactions.add(CHANNEL, MESSAGE, { unicodeEmoji: '🎲' })],
    ['commands.replace', (rest) => rest.commands.replace([])],
    ['channels.typing', (rest) => rest.channels.typing(CHANNEL)],
    ['interactions.ack', (rest) => rest.interactions.ack(INTERACTION)],
    ['interactions.defer', (rest) => rest.interactions.defer(INTERACTION)],
    [
      'interactions.editResponse',
      (rest) => rest.interactions.editResponse(INTERACTION, { content: 'x' }),
    ],
  ];

  it.each(repeatable)('%s is sent again, with the same body', async (_name, call) => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(inTurn('reset', { status: 503 }, {}));
    await call(openRest(server.url, { clock }));
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
  });

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('broken progress bar');
      },
    ],
    ['rejects', (): unknown => Promise.reject(new Error('broken progress bar'))],
  ])('is sent again although onRetry %s, which is logged', async (_how, onRetry) => {
    const clock = createWatchedClock({ stepping: true });
    const logged: string[] = [];
    const log = { ...silentLog, warn: (_details: object, line: string) => void logged.push(line) };
    const server = await startScriptedServer(inTurn({ status: 503 }, { json: me }));
    expect(await openRest(server.url, { clock, log }).users.me({ onRetry })).toEqual(me);
    expect(logged).toContain('onRetry threw; the call continues');
  });

  it('is reported to onRetry, each time before it is sent again', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(inTurn('reset', { status: 503 }, {}));
    const sent: number[] = [];
    const onRetry = (): void => void sent.push(server.requests.length);
    await openRest(server.url, { clock }).interactions.defer(INTERACTION, { onRetry });
    expect(sent).toEqual([1, 2]);
    await openRest(server.url, { clock }).interactions.ack(INTERACTION, { onRetry });
    expect(sent).toHaveLength(2);
  });

  it.each<[string, (rest: Rest, onRetry: () => void) => Promise<unknown>, string[]]>([
    [
      'messages.send',
      (rest, onRetry) => rest.messages.send(CHANNEL, { content: 'x' }, { onRetry }),
      ['messages'],
    ],
    [
      'messages.send with a file',
      (rest, onRetry) =>
        rest.messages.send(CHANNEL, { content: 'x', files: [Buffer.from('x')] }, { onRetry }),
      ['upload-session', 'file', 'messages'],
    ],
    [
      'interactions.respond with a file',
      (rest, onRetry) =>
        rest.interactions.respond(
          INTERACTION,
          { channelId: CHANNEL, files: [Buffer.from('x')] },
          { onRetry },
        ),
      ['upload-session', 'file', 'response'],
    ],
    [
      'attachments.uploadAll',
      (rest, onRetry) => rest.attachments.uploadAll(CHANNEL, [Buffer.from('x')], { onRetry }),
      ['upload-session', 'file'],
    ],
    [
      'messages.history',
      async (rest, onRetry) => {
        for await (const _ of rest.messages.history(CHANNEL, { onRetry, limit: 1 }));
      },
      ['messages'],
    ],
  ])('is reported in each request of %s', async (_name, call, expected) => {
    const clock = createWatchedClock({ stepping: true });
    const seen: string[] = [];
    const server = await startScriptedServer(({ method, path }) => {
      const name = (path.split('?')[0] ?? '').split('/').at(-1) ?? '';
      seen.push(name);
      // Each is rate limited once, and accepted when it comes again.
      if (seen.filter((each) => each === name).length === 1) {
        return { status: 429, headers: { 'retry-after': '1' } };
      }
      if (name === 'upload-session') {
        const session = { ...Object(readFixture('upload-session')), fields: {}, maxBytes: 10 };
        return { json: { ...session, uploadUrl: `${server.url}/file` } };
      }
      return method === 'GET' ? { json: readFixture('message-page') } : {};
    });
    const retried: (string | undefined)[] = [];
    await call(openRest(server.url, { clock }), () => retried.push(seen.at(-1)));
    expect(retried).toEqual(expected);
  });

  it.each([502, 503])('is tried until its deadline after %i when it only reads', async (status) => {
    const clock = createWatchedClock({ stepping: true });
    let upAtMs = Number.POSITIVE_INFINITY;
    const server = await startScriptedServer(() =>
      clock.monotonic() >= upAtMs ? { json: me } : { status },
    );
    const rest = openRest(server.url, { clock });
    upAtMs = clock.monotonic() + 20_000;
    expect(await rest.users.me()).toEqual(me);
    // With half of the chance: 125 ms, and never more than a second.
    expect(clock.sleepsMs.slice(0, 5)).toEqual([125, 250, 500, 1_000, 1_000]);
    expect(Math.max(...clock.sleepsMs)).toBe(1_000);
  });

  it('ends after maxTries', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => ({ status: 503 }));
    const error = await errorOf(openRest(server.url, { clock, maxTries: 2 }).users.me());
    expect(error.details).toMatchObject({ status: 503, attempts: 2 });
  });

  it('ends with what the platform said last after three tries', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => ({
      status: 500,
      json: { code: 'busy', message: 'Later', details: {}, requestId: 'r3' },
    }));
    const error = await errorOf(openRest(server.url, { clock }).users.me());
    expect(error.details).toMatchObject({ status: 500, apiCode: 'busy', attempts: 3 });
    expect(error.code).toBe('E_API_REFUSED');
    expect(server.requests).toHaveLength(3);
  });

  it('is sent again after half of its time at most, and not when that is nearly over', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => ({ status: 503 }));
    const rest = openRest(server.url, { clock, deadlineMs: 300, random: () => 1 });
    const error = await errorOf(rest.users.me());
    expect(error.details).toMatchObject({ status: 503, attempts: 3 });
    expect(clock.sleepsMs).toEqual([150, 75]);
  });

  it('is logged for the first three of its tries', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => ({ status: 503 }));
    const logged: object[] = [];
    const log = { ...silentLog, warn: (details: object) => void logged.push(details) };
    const error = await errorOf(openRest(server.url, { clock, log }).users.me());
    expect(error.details['attempts']).toBeGreaterThan(10);
    expect(logged).toMatchObject([{ attempts: 1 }, { attempts: 2 }, { attempts: 3 }]);
  });

  it('is not sent again when the platform asks for more time than is left', async () => {
    const clock = createWatchedClock({ stepping: true });
    const busy = { status: 503, headers: { 'retry-after': '7' } };
    const server = await startScriptedServer(() => busy);
    const error = await errorOf(openRest(server.url, { clock, deadlineMs: 7_000 }).users.me());
    expect(error.details).toMatchObject({ status: 503, attempts: 1 });
    expect(clock.sleepsMs).toEqual([]);
  });

  it('waits as long as a 503 asks for', async () => {
    const clock = createWatchedClock({ stepping: true });
    const busy = { status: 503, headers: { 'retry-after': '7' } };
    const server = await startScriptedServer(inTurn(busy, { json: me }));
    await openRest(server.url, { clock }).users.me();
    // And up to 250 ms more, so that what waited together does not come back together.
    expect(clock.sleepsMs).toEqual([7_125]);
  });

  it('is sent again when no answer began in 15 s', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(inTurn('stall', { json: me }));
    const call = openRest(server.url, { clock, random: () => 0 }).users.me();
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(15_000);
    await eventually(async () => {
      await clock.advance(0);
      expect(server.requests).toHaveLength(2);
    });
    expect(await call).toEqual(me);
  });

  it('is sent again after 2.5 s when it acknowledges an interaction', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(inTurn('stall', {}));
    const call = openRest(server.url, { clock, random: () => 0 }).interactions.defer(INTERACTION);
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(2_500);
    await eventually(async () => {
      await clock.advance(0);
      expect(server.requests).toHaveLength(2);
    });
    await expect(call).resolves.toBeUndefined();
  });

  it('counts as done when a repeated deletion finds nothing', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(inTurn('reset', { status: 404 }));
    const call = openRest(server.url, { clock }).messages.delete(CHANNEL, MESSAGE);
    await expect(call).resolves.toBeUndefined();
  });

  it('is still refused when the first deletion finds nothing', async () => {
    const server = await startScriptedServer(() => ({ status: 404 }));
    const error = await errorOf(openRest(server.url).messages.delete(CHANNEL, MESSAGE));
    expect(error.code).toBe('E_API_REFUSED');
  });

  it('counts as done when a repeated defer was already answered, as the profile states', async () => {
    const clock = createWatchedClock({ stepping: true });
    const profile = { refusals: { alreadyAnswered: { status: 410, code: 'again' } } };
    const already = { status: 410, json: { code: 'again' } };
    const server = await startScriptedServer(inTurn('reset', already));
    const rest = openRest(server.url, { clock, profile });
    await expect(rest.interactions.defer(INTERACTION)).resolves.toBeUndefined();

    const other = await startScriptedServer(() => already);
    const error = await errorOf(openRest(other.url, { profile }).interactions.defer(INTERACTION));
    expect(error.details).toMatchObject({ status: 410, apiCode: 'again' });
  });
});

describe('a message whose answer is lost after its status', () => {
  it('counts as sent: the status says so', async () => {
    const server = await startScriptedServer(() => ({ half: 'reset', status: 201 }));
    const call = openRest(server.url).messages.send(CHANNEL, { content: 'x' });
    await expect(call).resolves.toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('is refused when the status says so', async () => {
    const server = await startScriptedServer(() => ({ half: 'reset', status: 403 }));
    const error = await errorOf(openRest(server.url).messages.send(CHANNEL, { content: 'x' }));
    expect(error.code).toBe('E_API_REFUSED');
    expect(error.details['status']).toBe(403);
  });
});
