import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import {
  clientErrors,
  createRest,
  isAborted,
  isApiRefused,
  isAttachmentRefused,
  isBadAddress,
  isBadResponse,
  isInvalidCall,
  isOutcomeUnknown,
  isOverloaded,
  isForbidden,
  isNotFound,
  isRateLimited,
  isShuttingDown,
  isTimeout,
  isUnauthorized,
  isUnreachable,
  isUploadFailed,
} from '@virgule/client/rest';
import { closedAddress, silentAddress } from './dead-addresses.js';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { watchBody } from './watched-body.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, MESSAGE, TOKEN, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');
const noThing = (): void => {};

describe('E_API_REFUSED', () => {
  it('carries what the platform said', async () => {
    const server = await startScriptedServer(() => ({
      status: 400,
      json: readFixture('error-validation'),
    }));
    const error = await errorOf(openRest(server.url).messages.send(CHANNEL, { content: ' ' }));
    expect(isApiRefused(error)).toBe(true);
    expect(error.details).toMatchObject({
      endpoint: 'messages.send',
      route: 'POST /channels/{channelId}/messages',
      status: 400,
      apiCode: 'bot_validation_error',
      apiMessage: 'Message content must be 1 to 2000 characters.',
      field: 'content',
      requestId: 'req-5f2c81d0',
      attempts: 1,
    });
    expect(error.message).toBe(
      'POST /channels/{channelId}/messages was refused with 400 bot_validation_error (field content): Message content must be 1 to 2000 characters.',
    );
    expect(error.hint).toBe('Fix content and call again.');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['no body', ''],
    ['a list', '[]'],
    ['odd fields', '{"code":7,"message":null,"details":"x","requestId":{}}'],
  ])('is chosen by its status alone when the body is %s', async (_name, text) => {
    const server = await startScriptedServer(() => ({ status: 404, text }));
    const error = await errorOf(openRest(server.url).messages.get(CHANNEL, MESSAGE));
    expect(error.code).toBe('E_API_REFUSED');
    expect(error.details).toMatchObject({ status: 404, apiCode: '', requestId: undefined });
    expect(error.message).toBe(
      'GET /channels/{channelId}/messages/{messageId} was refused with 404',
    );
    expect(error.hint).toContain('ids');
  });

  it('passes on codes this version does not know, and says what a 403 is about', async () => {
    const json = { code: 'bot_new_code', message: 'No.', details: {}, requestId: 'r1' };
    const server = await startScriptedServer(() => ({ status: 403, json }));
    const error = await errorOf(openRest(server.url).messages.delete(CHANNEL, MESSAGE));
    expect(error.details['apiCode']).toBe('bot_new_code');
    expect(error.hint).toContain('may do there');
  });
});

describe('E_UNAUTHORIZED', () => {
  it('stops every later call before the wire', async () => {
    const server = await startScriptedServer(() => ({
      status: 401,
      json: { code: 'bot_unauthorized', message: '', details: {}, requestId: 'r9' },
    }));
    const rest = openRest(server.url);
    const first = await errorOf(rest.users.me());
    expect(isUnauthorized(first)).toBe(true);
    expect(first.details).toMatchObject({
      answer: 'GET /users/@me answered 401',
      requestId: 'r9',
      attempts: 1,
    });
    const later = await errorOf(rest.servers.list());
    expect(later.code).toBe('E_UNAUTHORIZED');
    expect(later.details).toMatchObject({ route: 'GET /servers', attempts: 0 });
    expect(later.message).toBe(first.message);
    expect(server.requests).toHaveLength(1);
  });

  /** A client with its log, of a platform that answers each path as specified. */
  async function openRefusing(status: (path: string, index: number) => number) {
    const server = await startScriptedServer(({ path }, index) => {
      const answer = status(path, index);
      return { status: answer, json: answer === 200 && path.endsWith('@me') ? me : [] };
    });
    const log: string[] = [];
    const at = (level: string) => (_details: object, message: string) =>
      void log.push(`${level}: ${message}`);
    const rest = openRest(server.url, {
      log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    });
    const paths = (): string[] => server.requests.map(({ path }) => path.split('/v1')[1] ?? '');
    return { rest, log, paths };
  }

  it('is confirmed by asking who the bot is, once; then it is logged and tokenRefused is aborted', async () => {
    const { rest, log, paths } = await openRefusing(() => 401);
    const errors = await Promise.all([errorOf(rest.servers.list()), errorOf(rest.commands.list())]);
    expect(errors.map(({ code }) => code)).toEqual(['E_UNAUTHORIZED', 'E_UNAUTHORIZED']);
    await eventually(() => expect(rest.tokenRefused.aborted).toBe(true));
    expect(paths().toSorted()).toEqual(['/commands', '/servers', '/users/@me']);
    expect(rest.tokenRefused.reason).toMatchObject({
      code: 'E_UNAUTHORIZED',
      details: { answer: 'GET /users/@me answered 401' },
    });
    expect((await errorOf(rest.servers.list())).details).toMatchObject({ attempts: 0 });
    expect(paths()).toHaveLength(3);
    await eventually(() =>
      expect(log).toEqual(['error: the bot token was refused; no more requests are sent']),
    );
  });

  it('is not logged when the caller asked who the bot is: that call rejects', async () => {
    const { rest, log } = await openRefusing(() => 401);
    expect((await errorOf(rest.users.me())).code).toBe('E_UNAUTHORIZED');
    expect(rest.tokenRefused.aborted).toBe(true);
    expect((await errorOf(rest.servers.list())).details).toMatchObject({ attempts: 0 });
    expect(log).toEqual([]);
  });

  it('is not believed when the platform still knows the bot: later calls are sent', async () => {
    const { rest, log, paths } = await openRefusing((_path, index) => (index === 0 ? 401 : 200));
    expect((await errorOf(rest.servers.list())).code).toBe('E_UNAUTHORIZED');
    await eventually(() => expect(log).toHaveLength(1));
    expect(log).toEqual(['warn: a request was answered 401, but the bot token is valid']);
    expect(await rest.servers.list()).toEqual([]);
    expect(paths()).toEqual(['/servers', '/users/@me', '/servers']);
    expect(rest.tokenRefused.aborted).toBe(false);
  });

  it('is not trusted when the check is inconclusive: the next 401 is checked again', async () => {
    const { rest, log, paths } = await openRefusing((path, index) =>
      path.endsWith('@me') ? (index === 1 ? 404 : 401) : 401,
    );
    await errorOf(rest.servers.list());
    await eventually(() => expect(log).toHaveLength(1));
    expect(log).toEqual([
      'warn: a request was answered 401, and the bot token could not be checked',
    ]);
    await errorOf(rest.servers.list());
    await eventually(() => expect(rest.tokenRefused.aborted).toBe(true));
    expect(paths()).toEqual(['/servers', '/users/@me', '/servers', '/users/@me']);
  });

  it('ends calls that are waiting for another try', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer(({ path }) =>
      path.endsWith('/servers') ? { status: 503 } : { status: 401 },
    );
    const rest = openRest(server.url, { clock });
    const waiting = errorOf(rest.servers.list());
    await eventually(() => expect(clock.sleeping).toBe(1));
    // 125 ms of backoff never pass: only the other call's 401 can end this one.
    const refused = await errorOf(rest.users.me());
    expect(refused.code).toBe('E_UNAUTHORIZED');
    expect((await waiting).code).toBe('E_UNAUTHORIZED');
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['more than one line', 'abc\r\nx-evil: 1'],
  ])('is thrown without asking when the token is %s', async (_name, token) => {
    const server = await startScriptedServer(() => ({ json: me }));
    const error = await errorOf(openRest(server.url, { token }).users.me());
    expect(error.code).toBe('E_UNAUTHORIZED');
    expect(server.requests).toHaveLength(0);
  });

  it('is spared those who pasted blanks or the word Bot with the token', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const warn = vi.fn<(details: object, message: string) => void>();
    const log = { debug: noThing, info: noThing, warn, error: noThing };
    await openRest(server.url, { token: ` Bot ${TOKEN}\n`, log }).users.me();
    expect(server.requests[0]?.headers.authorization).toBe(`Bot ${TOKEN}`);
    expect(warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(warn.mock.calls)).not.toContain(TOKEN);
  });
});

describe('E_TIMEOUT', () => {
  it('is thrown when the deadline passes before an answer', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const call = errorOf(openRest(server.url, { clock, deadlineMs: 4_000 }).users.me());
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(4_000);
    const error = await call;
    expect(isTimeout(error)).toBe(true);
    expect(error.details).toMatchObject({ phase: 'headers', maybeSent: true, elapsedMs: 4_000 });
    expect(clock.pending).toBe(0);
  });

  it('takes the deadline of the call before that of the client', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url, { clock, deadlineMs: 4_000 });
    const call = errorOf(rest.users.me({ deadlineMs: 700 }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(700);
    expect((await call).details['elapsedMs']).toBe(700);
  });

  it('is thrown while the body stalls', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => ({ half: 'stall' }));
    const onPiece = vi.fn<() => void>();
    const dispatcher = watchBody(server.url, onPiece);
    const call = errorOf(openRest(server.url, { clock, dispatcher, deadlineMs: 3_000 }).users.me());
    await eventually(() => expect(onPiece).toHaveBeenCalled());
    await clock.advance(3_000);
    const { code, details } = await call;
    expect(code).toBe('E_TIMEOUT');
    expect(details['phase']).toBe('body');
  });

  it('is thrown while connecting, for any method, since nothing was sent', async () => {
    const clock = createFakeClock();
    const silent = await silentAddress();
    const rest = openRest(`https://${silent.address}`, { clock, deadlineMs: 3_000 });
    const call = errorOf(rest.messages.send(CHANNEL, { content: 'Hi' }));
    await eventually(() => expect(silent.connections).toBe(1));
    await clock.advance(3_000);
    const error = await call;
    expect(error.code).toBe('E_TIMEOUT');
    expect(error.details).toMatchObject({ phase: 'connecting', maybeSent: false });
    expect(error.hint).toContain('Nothing was sent');
  });
});

describe('E_OUTCOME_UNKNOWN', () => {
  it.each([
    ['messages.send', (url: string) => openRest(url).messages.send(CHANNEL, { content: 'x' })],
    ['voice.openIngress', (url: string) => openRest(url).voice.openIngress(CHANNEL)],
    [
      'interactions.followUp',
      (url: string) => openRest(url).interactions.followUp(INTERACTION, { content: 'x' }),
    ],
    [
      'interactions.respond',
      (url: string) => openRest(url).interactions.respond(INTERACTION, { content: 'x' }),
    ],
  ])('%s is never sent twice when its answer is lost', async (endpoint, call) => {
    const server = await startScriptedServer(() => 'reset');
    const error = await errorOf(call(server.url));
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(error.details).toMatchObject({
      endpoint,
      attempts: 1,
      phase: 'headers',
      repeatIsHarmless: false,
    });
    expect(error.cause).toBeInstanceOf(Error);
    expect(server.requests).toHaveLength(1);
  });

  it('is thrown with the status when a 5xx answers a message', async () => {
    const server = await startScriptedServer(() => ({ status: 502, text: '<html>' }));
    const error = await errorOf(openRest(server.url).messages.send(CHANNEL, { content: 'x' }));
    expect(error.code).toBe('E_OUTCOME_UNKNOWN');
    expect(error.details).toMatchObject({ status: 502, attempts: 1 });
    expect(error.message).toContain('answered 502');
  });

  it('is thrown when the deadline passes after a message was sent', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url, { clock, deadlineMs: 2_000 });
    const call = errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(2_000);
    expect((await call).code).toBe('E_OUTCOME_UNKNOWN');
  });

  it('says that calling again is harmless where it is', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => 'reset');
    const error = await errorOf(openRest(server.url, { clock }).channels.typing(CHANNEL));
    expect(error.code).toBe('E_OUTCOME_UNKNOWN');
    expect(error.details).toMatchObject({ attempts: 3, repeatIsHarmless: true });
    expect(error.hint).toBe('It is safe to call again.');
  });
});

describe('E_UNREACHABLE', () => {
  it('is thrown for a read whose connection breaks, since a read has no effect', async () => {
    const clock = createWatchedClock({ stepping: true });
    const server = await startScriptedServer(() => 'reset');
    const error = await errorOf(openRest(server.url, { clock }).users.me());
    expect(error.code).toBe('E_UNREACHABLE');
    expect(error.details).toMatchObject({ attempts: 3, phase: 'headers', address: server.url });
    expect(error.message).toContain(`The connection to ${server.url} broke (`);
    expect(error.message).toContain(', 3 tries); GET /users/@me was not answered.');
  });

  it('says how to trust an authority when it is the certificate', () => {
    const facts = { endpoint: 'users.me', route: 'GET /users/@me', attempts: 1, elapsedMs: 1 };
    const details = { ...facts, phase: 'connecting', address: 'https://chat.test' } as const;
    for (const reason of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])
      expect(clientErrors.E_UNREACHABLE({ ...details, reason }).hint).toContain(
        'NODE_EXTRA_CA_CERTS',
      );
  });

  it('names the address, after tries of any method until the deadline', async () => {
    const clock = createWatchedClock({ stepping: true });
    const url = `http://${await closedAddress()}`;
    const rest = openRest(url, { clock, deadlineMs: 5_000 });
    const error = await errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    expect(isUnreachable(error)).toBe(true);
    // Half of the chance: 125, 250 and 500 ms, then a second each; in the end half of what is left.
    expect(error.details).toMatchObject({ address: url, attempts: 10, reason: 'ECONNREFUSED' });
    expect(error.message).toContain(url);
    const last = [562.5, 281.25, 140.625, 70.3125];
    expect(clock.sleepsMs.slice(0, 10)).toEqual([125, 250, 500, 1_000, 1_000, 1_000, ...last]);
  });
});

describe('E_BAD_RESPONSE', () => {
  it.each([
    ['an empty body', { text: '' }, undefined, 'an empty body'],
    ['no JSON', { text: 'hello' }, undefined, 'not JSON'],
    ['an id of another type', { json: { ...Object(me), botUserId: 7 } }, 'botUserId', 'string'],
    ['a missing id', { json: { ...Object(me), botUserId: undefined } }, 'botUserId', 'expected'],
  ])('names the route and the field for %s', async (_name, answer, field, reason) => {
    const server = await startScriptedServer(() => answer);
    const error = await errorOf(openRest(server.url).users.me());
    expect(isBadResponse(error)).toBe(true);
    expect(error.kind).toBe('user');
    expect(error.details).toMatchObject({ route: 'GET /users/@me', status: 200, attempts: 1 });
    expect(error.details['field']).toBe(field);
    expect(error.details['reason']).toContain(reason);
    expect(error.message).toContain('GET /users/@me');
  });

  it('is not thrown for unexpected fields and items: they pass through, and are reported once', async () => {
    const page = Object(readFixture('message-page'));
    const [first] = page.messages;
    const messages = [
      { ...first, createdAt: '2024-05-01T12:00:00', attachments: null, pinnedAt: undefined },
      { content: 'no id' },
    ];
    const server = await startScriptedServer(() => ({ json: { ...page, messages } }));
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (details: object) => void warnings.push(details) };
    const rest = openRest(server.url, { log });
    await rest.messages.list(CHANNEL);
    const read = await rest.messages.list(CHANNEL);
    expect(read.messages).toEqual([
      { ...messages[0], attachments: [], pinnedAt: null },
      messages[1],
    ]);
    expect(warnings).toEqual([
      { endpoint: 'messages.list', fields: ['messages.0.createdAt', 'messages.1'] },
    ]);
  });

  it('is thrown for an answer above 16 MiB', async () => {
    const text = Buffer.alloc(16 * 1024 * 1024 + 1, 0x20);
    const server = await startScriptedServer(() => ({ text }));
    const error = await errorOf(openRest(server.url).users.me());
    expect(error.code).toBe('E_BAD_RESPONSE');
    expect(error.message).toContain('16 MiB');
    expect(server.requests).toHaveLength(1);
  });

  it('is not thrown for a byte order mark in front of the JSON', async () => {
    const server = await startScriptedServer(() => ({ text: `\uFEFF${JSON.stringify(me)}` }));
    expect(await openRest(server.url).users.me()).toEqual(me);
  });

  it('is not thrown for an answer of just 16 MiB', async () => {
    const json = Buffer.from(JSON.stringify(me));
    const text = Buffer.concat([json, Buffer.alloc(16 * 1024 * 1024 - json.byteLength, 0x20)]);
    const server = await startScriptedServer(() => ({ text }));
    expect(await openRest(server.url).users.me()).toEqual(me);
  });
});

describe('E_BAD_ADDRESS', () => {
  it.each([
    ['', ''],
    ['chat.example.com', 'chat.example.com'],
    ['localhost:3000', 'localhost:3000'],
    ['ws://chat.example.com', 'ws://chat.example.com'],
    ['ftp://me:secret@chat.example.com/x?key=secret', 'ftp://…@chat.example.com/x'],
  ])('is thrown at once for %j', (baseUrl, seen) => {
    let thrown: unknown;
    try {
      createRest({ token: TOKEN, baseUrl });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'E_BAD_ADDRESS', details: { name: 'baseUrl', seen } });
    expect(isBadAddress(thrown)).toBe(true);
  });
});

describe('E_SHUTTING_DOWN', () => {
  it('is thrown by calls after close', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const rest = openRest(server.url);
    await rest.close();
    const error = await errorOf(rest.users.me());
    expect(isShuttingDown(error)).toBe(true);
    expect(error.message).toBe('The client was closed before GET /users/@me was done.');
    expect(server.requests).toHaveLength(0);
  });
});

describe('the error guards', () => {
  it('distinguish each code from all others', () => {
    const guards = {
      E_API_REFUSED: isApiRefused,
      E_RATE_LIMITED: isRateLimited,
      E_UNAUTHORIZED: isUnauthorized,
      E_TIMEOUT: isTimeout,
      E_ABORTED: isAborted,
      E_OUTCOME_UNKNOWN: isOutcomeUnknown,
      E_OVERLOADED: isOverloaded,
      E_UNREACHABLE: isUnreachable,
      E_BAD_RESPONSE: isBadResponse,
      E_UPLOAD_FAILED: isUploadFailed,
      E_INVALID_CALL: isInvalidCall,
      E_ATTACHMENT_REFUSED: isAttachmentRefused,
      E_SHUTTING_DOWN: isShuttingDown,
      E_BAD_ADDRESS: isBadAddress,
    };
    expect(Object.keys(guards).toSorted()).toEqual(Object.keys(clientErrors).toSorted());
    const facts = { endpoint: 'users.me', route: 'GET /users/@me', attempts: 1, elapsedMs: 5 };
    const error = clientErrors.E_SHUTTING_DOWN(facts);
    for (const [code, guard] of Object.entries(guards)) {
      expect(guard(error)).toBe(code === 'E_SHUTTING_DOWN');
      expect(guard(new Error(code))).toBe(false);
    }
  });

  it('distinguish refusals with 404 and 403', () => {
    const facts = { endpoint: 'messages.get', route: 'GET /x', attempts: 1, elapsedMs: 5 };
    const refusedWith = (status: number) =>
      clientErrors.E_API_REFUSED({ ...facts, status, apiCode: '', apiMessage: 'no' });
    for (const status of [400, 403, 404]) {
      expect(isNotFound(refusedWith(status))).toBe(status === 404);
      expect(isForbidden(refusedWith(status))).toBe(status === 403);
    }
    expect(isNotFound(new Error('404'))).toBe(false);
  });
});

describe('a response above 16 MiB', () => {
  const text = Buffer.alloc(17 * 1024 * 1024, ' ');

  it('is a success where only the status is needed', async () => {
    const server = await startScriptedServer(() => ({ text }));
    await openRest(server.url).messages.delete(CHANNEL, MESSAGE);
    expect(server.requests).toHaveLength(1);
  });

  it('is waited for like any other 429, and retried like any other 503', async () => {
    const clock = createWatchedClock({ stepping: true });
    const limited = { status: 429, headers: { 'retry-after': '7' }, text };
    const answers = [limited, { status: 503, text }, { json: me }];
    const server = await startScriptedServer((_request, index) => answers[index] ?? 'stall');
    expect(await openRest(server.url, { clock }).users.me()).toEqual(me);
    expect(Math.max(...clock.sleepsMs)).toBeGreaterThanOrEqual(7_000);
  });

  it('is a refusal by its status', async () => {
    const server = await startScriptedServer(() => ({ status: 404, text }));
    const error = await errorOf(openRest(server.url).users.me());
    expect(error).toMatchObject({ code: 'E_API_REFUSED', details: { status: 404 } });
  });
});
