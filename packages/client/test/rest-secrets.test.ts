import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from '@virgule/client/gateway';
import { startScriptedServer, type Answer, type Fault } from './scripted-server.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, TOKEN, errorOf, openRest } from './test-rest.js';

const everything = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const;

describe('the bot token', () => {
  it('does not show in the client, before or after a call', async () => {
    const server = await startScriptedServer(() => ({ status: 404 }));
    const rest = openRest(server.url);
    expect(inspect(rest, everything)).not.toContain(TOKEN);
    await errorOf(rest.users.me());
    expect(inspect(rest, everything)).not.toContain(TOKEN);
    const gateway = createGateway({ token: TOKEN, gatewayUrl: 'ws://127.0.0.1:9' });
    expect(inspect(gateway, everything)).not.toContain(TOKEN);
  });

  const echo = {
    code: TOKEN,
    message: `Bot ${TOKEN}`,
    details: { field: TOKEN },
    requestId: TOKEN,
  };
  it.each<[string, Answer | Fault]>([
    ['a refusal that repeats it', { status: 400, json: echo }],
    ['a 401 that repeats it', { status: 401, json: echo }],
    ['a 503 that repeats it', { status: 503, json: echo }],
    ['a 429 that repeats it', { status: 429, headers: { 'retry-after': '99' }, json: echo }],
    ['an answer that repeats it', { json: { username: TOKEN } }],
    ['an answer that is no JSON', { text: `Bot ${TOKEN}` }],
    ['a redirect', { status: 301, headers: { location: `http://127.0.0.1:9/?${TOKEN}` } }],
    ['a reset', 'reset'],
  ])('does not show in the error or log of %s', async (_name, answer) => {
    const clock = createWatchedClock({ stepping: true });
    const logged: unknown[] = [];
    const recorded = (...line: unknown[]): void => void logged.push(line);
    const log = { debug: recorded, info: recorded, warn: recorded, error: recorded };
    const server = await startScriptedServer(() => answer);
    const rest = openRest(server.url, { clock, log });
    const errors = await Promise.allSettled([
      rest.users.me(),
      rest.messages.send(CHANNEL, { content: 'x' }),
    ]);
    expect(errors.some(({ status }) => status === 'rejected')).toBe(true);
    expect(inspect(errors, everything)).not.toContain(TOKEN);
    expect(JSON.stringify(errors)).not.toContain(TOKEN);
    expect(inspect(logged, everything)).not.toContain(TOKEN);
  });

  /** Answers with the request in place of a header; the parser attaches what it cannot read to its error. */
  async function startEcho(): Promise<string> {
    const server = createServer((socket) => {
      socket.on('data', (request) => {
        socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nbroken header\r\n'), request]));
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  it('does not show in the error or log of a peer that repeats the request in place of a header', async () => {
    const logged: unknown[] = [];
    const recorded = (...line: unknown[]): void => void logged.push(line);
    const log = { debug: recorded, info: recorded, warn: recorded, error: recorded };
    const clock = createWatchedClock({ stepping: true });
    const rest = openRest(`http://${await startEcho()}`, { clock, log });
    const error = await errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    expect(error.cause).toMatchObject({ name: 'HTTPParserError' });
    expect(inspect([error, logged], everything)).not.toContain(TOKEN);
    expect(JSON.stringify([error, error.cause, logged])).not.toContain(TOKEN);
  });

  it('does not show, nor the password of a proxy that repeats the request', async () => {
    const clock = createWatchedClock({ stepping: true });
    const proxy = `http://user:${TOKEN}@${await startEcho()}`;
    const rest = openRest('http://chat.example.test', { clock, proxy, maxTries: 1 });
    const error = await errorOf(rest.users.me());
    expect(error.message).toContain('HPE_INVALID_HEADER_TOKEN');
    const causes = [error.cause, Object(error.cause).cause];
    expect(Object(causes[1]).code).toBe('HPE_INVALID_HEADER_TOKEN');
    // The parser of Node.js attaches bytes and not a string.
    expect(Object(causes[1]).rawPacket).toBeUndefined();
    expect(inspect([error, causes], everything)).not.toContain(TOKEN);
  });
});
