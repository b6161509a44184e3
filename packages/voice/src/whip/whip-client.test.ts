import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { formatError, isVirguleError } from '@virgule/core/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publish } from './whip-client.js';

const KEY = 'secret-key';
const OFFER = 'v=0\r\no=offer\r\n';
const ANSWER = 'v=0\r\no=answer\r\n';

/** Starts an HTTP server that ends with the test. Returns its origin and what it received. */
async function listen(listener: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(
      `${request.method} ${request.url} ${request.headers.authorization === `Bearer ${KEY}` ? 'key' : 'no key'}`,
    );
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

/** An endpoint that accepts offers, and answers DELETE with these statuses in turn; 0 is no answer. */
function endpoint(...deletes: number[]) {
  return listen((request, response) => {
    if (request.method === 'DELETE') {
      const status = deletes.length > 1 ? deletes.shift() : deletes[0];
      if (status !== 0) response.writeHead(status ?? 200).end();
      return;
    }
    response.writeHead(201, { location: `/session/${KEY}/1` }).end(ANSWER);
  });
}

const open = (url: string, clock = systemClock, signal?: AbortSignal) =>
  publish({ url, streamKey: KEY }, OFFER, { clock, signal });

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
  if (!isVirguleError(error)) throw error;
  expect(formatError(error)).not.toContain(KEY);
  return error;
}

describe('publish', () => {
  it('posts the offer with the key, and ends the session at its relative address', async () => {
    let received = '';
    const { origin, requests } = await listen((request, response) => {
      if (request.method === 'DELETE') return response.writeHead(200).end();
      void bodyOf(request).then((body) => {
        received = `${request.headers['content-type']} ${body}`;
        response.writeHead(201, { location: `../session/1?x=1` }).end(ANSWER);
      });
    });
    const session = await open(`${origin}/whip/a`);
    expect(received).toBe(`application/sdp ${OFFER}`);
    expect(session.answer).toBe(ANSWER);
    await session.end();
    expect(requests).toEqual(['POST /whip/a key', 'DELETE /session/1?x=1 key']);
  });

  it.each([307, 308])(
    'follows %i with the body and the key, also to another host',
    async (status) => {
      const second = await endpoint();
      const first = await listen((_request, response) =>
        response.writeHead(status, { location: `${second.origin}/b` }).end(),
      );
      await open(`${first.origin}/a`).then((session) => session.end());
      expect(first.requests).toEqual(['POST /a key']);
      expect(second.requests).toEqual(['POST /b key', `DELETE /session/${KEY}/1 key`]);
    },
  );

  it.each([301, 302, 303, 400, 401, 404, 405, 409, 415, 422, 429, 503])(
    'fails with E_VOICE_INGRESS at %i',
    async (status) => {
      const { origin } = await listen((_request, response) =>
        response.writeHead(status, { location: '/b' }).end(`${'x'.repeat(115)}${KEY}\nmore`),
      );
      expect(await failureOf(open(origin))).toMatchObject({
        code: 'E_VOICE_INGRESS',
        details: { status, address: origin, reason: `${'x'.repeat(115)}[key]` },
      });
    },
  );

  it.each<[string, RequestListener, string]>([
    [
      'rejects the audio',
      (_q, response) =>
        response.writeHead(201, { location: '/1' }).end(`${ANSWER}m=audio 0 UDP 0\r\n`),
      'it rejects the audio',
    ],
    [
      'redirects elsewhere',
      (_q, response) => response.writeHead(307, { location: 'file:///a' }).end(),
      'it redirects to no address that can be used',
    ],
    [
      'redirects indefinitely',
      (_q, response) => response.writeHead(307, { location: '/' }).end(),
      'redirects more than 5 times',
    ],
  ])('fails with E_VOICE_INGRESS when it %s', async (_name, listener, reason) => {
    const { origin } = await listen(listener);
    const error = await failureOf(open(origin));
    expect(error.code).toBe('E_VOICE_INGRESS');
    expect(error.message).toContain(reason);
  });

  it.each([
    ['none', undefined],
    ['one of another protocol', 'file:///a'],
    ['one without encryption', 'http://media.test/1'],
  ])(
    'accepts a session whose Location is %s: the platform ends it',
    async (_name, location = '') => {
      const methods: unknown[] = [];
      const fetch = async (_url: unknown, init?: RequestInit) => {
        methods.push(init?.method);
        return new Response(ANSWER, { status: 201, headers: location === '' ? {} : { location } });
      };
      const target = { url: 'https://media.test', streamKey: KEY };
      const session = await publish(target, OFFER, { clock: systemClock, fetch });
      await session.end();
      expect([session.answer, methods]).toEqual([ANSWER, ['POST']]);
    },
  );

  it.each(['media.test/whip', 'wss://media.test/whip'])(
    'fails with E_VOICE_INGRESS for the address %s',
    async (url) => {
      expect(await failureOf(open(url))).toMatchObject({
        code: 'E_VOICE_INGRESS',
        details: { reason: 'it has no http: or https: address' },
      });
    },
  );

  it('ends a session whose answer is not SDP', async () => {
    const { origin, requests } = await listen((_request, response) =>
      response.writeHead(201, { location: '/1' }).end('<html>'),
    );
    expect((await failureOf(open(origin))).code).toBe('E_VOICE_INGRESS');
    expect(requests).toContain('DELETE /1 key');
  });

  it('does not follow https to http', async () => {
    const { origin } = await endpoint();
    const fetch = async () => new Response(null, { status: 307, headers: { location: origin } });
    const target = { url: 'https://media.test', streamKey: KEY };
    const error = await failureOf(publish(target, OFFER, { clock: systemClock, fetch }));
    expect(error.message).toContain('no address that can be used');
  });

  it('fails with E_VOICE_INGRESS when the connection is refused or cut', async () => {
    const { origin } = await listen((_request, response) => response.destroy());
    expect((await failureOf(open(origin))).code).toBe('E_VOICE_INGRESS');
    expect(await failureOf(open('http://127.0.0.1:9'))).toMatchObject({
      code: 'E_VOICE_INGRESS',
      details: { address: 'http://127.0.0.1:9' },
    });
  });

  it('fails with E_VOICE_INGRESS after 10 s without an answer', async () => {
    const clock = createFakeClock();
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const { origin } = await listen(() => isAsked());
    const failure = failureOf(open(origin, clock));
    await asked;
    await clock.advance(10_000);
    expect((await failure).message).toContain('no answer within 10000 ms');
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const { origin } = await listen(() => controller.abort(new Error('stop')));
    await expect(open(origin, systemClock, controller.signal)).rejects.toThrow('stop');
    await expect(open(origin, systemClock, controller.signal)).rejects.toThrow('stop');
  });
});

describe('end', () => {
  it.each([200, 404, 410, 403, 500])(
    'sends one request, also if it is answered %i',
    async (status) => {
      const { origin, requests } = await endpoint(status);
      await (await open(origin)).end();
      expect(requests).toHaveLength(2);
    },
  );

  it('waits 1.5 s for an answer', async () => {
    const clock = createFakeClock();
    const { origin } = await endpoint(0);
    const ended = (await open(origin, clock)).end();
    await clock.advance(1_500);
    await expect(ended).resolves.toBeUndefined();
  });
});
