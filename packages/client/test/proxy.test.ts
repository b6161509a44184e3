import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import type { UploadSession } from '@virgule/core/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGateway, probeGateway } from '@virgule/client/gateway';
import { resolveProxy } from '../src/request/proxy.js';
import { startConnectProxy, startHiddenPlatform } from './connect-proxy.js';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { CHANNEL, TOKEN, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

function answers(uploadUrl: string) {
  const session: UploadSession = {
    uploadUrl,
    objectKey: 'key',
    publicUrl: '',
    fields: {},
    expiresAt: '2099-01-01T00:00:00Z',
    maxBytes: 1_000,
  };
  return (path: string): unknown => {
    if (path.endsWith('/users/@me')) return me;
    if (path.endsWith('/upload-session')) return session;
    return readFixture('assumed-message-plain');
  };
}

describe.each([
  { name: 'plain', scheme: 'http', socket: 'ws', port: 80, isEncrypted: false },
  { name: 'encrypted', scheme: 'https', socket: 'wss', port: 443, isEncrypted: true },
])('$name connections through a proxy', ({ scheme, socket, port, isEncrypted }) => {
  async function start() {
    // The certificate of the test is signed by no authority.
    if (isEncrypted) vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const platform = await startHiddenPlatform(
      answers(`${scheme}://storage.example.test/put?s=1`),
      {
        isEncrypted,
      },
    );
    return { platform, proxy: await startConnectProxy(platform.port) };
  }

  it('carry calls and files, each origin in a tunnel of its own', async () => {
    const { platform, proxy } = await start();
    const rest = openRest(`${scheme}://chat.example.test`, { proxy: proxy.url });
    expect(await rest.users.me()).toEqual(me);
    await rest.messages.send(CHANNEL, {
      content: 'Look',
      files: [{ name: 'a.txt', data: Buffer.from('content of the file') }],
    });
    expect(platform.requests.map(({ method, host }) => `${method} ${host}`)).toEqual([
      'GET chat.example.test',
      'POST chat.example.test',
      'PUT storage.example.test',
      'POST chat.example.test',
    ]);
    expect(platform.requests[2]?.body).toBe('content of the file');
    expect(new Set(proxy.targets)).toEqual(
      new Set([`chat.example.test:${port}`, `storage.example.test:${port}`]),
    );
    expect(proxy.plain).toEqual([]);
    expect(JSON.stringify(proxy.headers)).not.toContain(TOKEN);
  });

  it('carry the gateway', async () => {
    const { platform, proxy } = await start();
    const gatewayUrl = `${socket}://chat.example.test`;
    const gateway = createGateway({ token: TOKEN, gatewayUrl, proxy: proxy.url, log: silentLog });
    onTestFinished(() => gateway.close());
    await gateway.connect({ dispatch: () => {} });
    expect(await probeGateway({ gatewayUrl, proxy: proxy.url })).toMatchObject({ ok: true });
    expect(platform.upgrades).toEqual(['chat.example.test', 'chat.example.test']);
    expect(proxy.targets).toEqual([`chat.example.test:${port}`, `chat.example.test:${port}`]);
  });
});

describe('a proxy', () => {
  it('is that of the environment unless it is named, and gets its credentials', async () => {
    const platform = await startHiddenPlatform(answers(''));
    const proxy = await startConnectProxy(platform.port);
    vi.stubEnv('http_proxy', proxy.url.replace('//', '//me:p%40ss@'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const rest = openRest('http://chat.example.test:8080');
    expect(await rest.users.me()).toEqual(me);
    const gateway = createGateway({
      token: TOKEN,
      gatewayUrl: 'ws://chat.example.test:8080',
      log: silentLog,
    });
    onTestFinished(() => gateway.close());
    await gateway.connect({ dispatch: () => {} });
    expect(proxy.targets).toEqual(['chat.example.test:8080', 'chat.example.test:8080']);
    const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(proxy.headers.map((each) => each['proxy-authorization'])).toEqual([
      authorization,
      authorization,
    ]);
  });

  it('that refuses is named in the error, and nothing was sent', async () => {
    const proxy = await startConnectProxy(0, 407);
    const rest = openRest('http://chat.example.test', { proxy: proxy.url, maxTries: 2 });
    const error = await errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    expect(error).toMatchObject({ code: 'E_UNREACHABLE', details: { attempts: 2 } });
    expect(error.message).toContain(`the proxy ${new URL(proxy.url).host} answered 407`);
  });

  it('that answers with a page is no tunnel, and is not asked again without a pause', async () => {
    const proxy = await startConnectProxy(0, 'page');
    const rest = openRest('http://chat.example.test', { proxy: proxy.url, maxTries: 2 });
    const error = await errorOf(rest.users.me({ deadlineMs: 3_000 }));
    expect(error).toMatchObject({ code: 'E_UNREACHABLE', details: { attempts: 2 } });
    expect(error.message).toContain('answered 200 with a page');
    expect(proxy.targets).toHaveLength(2);
  });

  it('that refuses the gateway is the reason of the next attempt', async () => {
    const proxy = await startConnectProxy(0, 407);
    const reasons: string[] = [];
    const gateway = createGateway({
      token: TOKEN,
      gatewayUrl: 'wss://chat.example.test',
      proxy: proxy.url,
      log: silentLog,
    });
    onTestFinished(() => gateway.close());
    gateway
      .connect({
        dispatch: () => {},
        status: (status) => status.state === 'reconnecting' && reasons.push(status.reason),
      })
      .catch(() => {});
    await eventually(() => expect(reasons[0]).toContain('answered 407'));
  });

  it('that never answers costs the time of a connection, and close() does not wait for it', async () => {
    const proxy = await startConnectProxy(0, 'silence');
    const clock = createFakeClock();
    const rest = openRest('http://chat.example.test', { proxy: proxy.url, clock, maxTries: 1 });
    const failed = errorOf(rest.users.me());
    await eventually(() => expect(proxy.targets).toHaveLength(1));
    await clock.advance(5_000);
    expect((await failed).message).toContain('ETIMEDOUT');
  });

  it.each([
    ['silence', 'ws'],
    ['silence', 'wss'],
    ['silent-tunnel', 'ws'],
    ['silent-tunnel', 'wss'],
  ] as const)('with %s keeps no connection of an ended %s attempt', async (status, scheme) => {
    const proxy = await startConnectProxy(0, status);
    const clock = createFakeClock();
    const gatewayUrl = `${scheme}://chat.example.test`;
    const gateway = createGateway({
      token: TOKEN,
      gatewayUrl,
      proxy: proxy.url,
      clock,
      random: () => 0,
      log: silentLog,
    });
    onTestFinished(() => gateway.close());
    const connected = errorOf(gateway.connect({ dispatch: () => {} }));
    await eventually(() => expect([proxy.targets.length, proxy.clients]).toEqual([1, 1]));
    await clock.advance(10_000);
    await clock.advance(0);
    await eventually(() => expect([proxy.targets.length, proxy.clients]).toEqual([2, 1]));
    await gateway.close();
    expect(await connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    await eventually(() => expect(proxy.clients).toBe(0));

    const probe = probeGateway({ gatewayUrl, proxy: proxy.url, clock });
    await eventually(() => expect([proxy.targets.length, proxy.clients]).toEqual([3, 1]));
    await clock.advance(10_000);
    expect(await probe).toMatchObject({ ok: false });
    await eventually(() => expect(proxy.clients).toBe(0));
  });

  it.each(['http://user:50%off@proxy:3128', 'user:50%off@proxy:3128'])(
    'whose credentials are not percent-encoded is refused at creation: %s',
    (proxy) => {
      const gatewayUrl = 'ws://chat.example.test';
      for (const create of [
        () => openRest('http://chat.example.test', { proxy }),
        () => createGateway({ token: TOKEN, gatewayUrl, proxy }),
      ]) {
        expect(create).toThrow(
          expect.objectContaining({
            code: 'E_BAD_ADDRESS',
            message: expect.stringMatching(/saw "(http:\/\/)?…@proxy:3128"/),
            hint: expect.stringContaining('%25'),
          }),
        );
      }
    },
  );

  it('has to be an http(s) address; its password is not shown', () => {
    for (const proxy of ['socks5://me:secret@proxy:1080', 'http://']) {
      expect(() => openRest('http://chat.example.test', { proxy })).toThrow(
        expect.objectContaining({ code: 'E_BAD_ADDRESS' }),
      );
    }
    expect(() => openRest('http://x.test', { proxy: 'socks5://me:secret@proxy:1080' })).toThrow(
      /saw "socks5:\/\/…@proxy:1080"/,
    );
  });
});

describe('resolveProxy', () => {
  const env = {
    HTTP_PROXY: 'plain:3128',
    HTTPS_PROXY: 'http://secure:3128',
    NO_PROXY: 'internal.test, .corp.test *.lab.test,one.test:8443',
  };
  it.each([
    ['http://chat.test', env, 'plain:3128'],
    ['ws://chat.test', env, 'plain:3128'],
    ['https://chat.test', env, 'secure:3128'],
    ['wss://chat.test', env, 'secure:3128'],
    ['https://chat.test', { HTTP_PROXY: 'plain:3128' }, 'plain:3128'],
    ['http://chat.test', { HTTPS_PROXY: 'secure:3128' }, undefined],
    ['https://chat.test', { https_proxy: 'lower:1', HTTPS_PROXY: 'upper:1' }, 'lower:1'],
    ['https://chat.test', { HTTPS_PROXY: '' }, undefined],
    ['https://internal.test', env, undefined],
    ['https://sub.internal.test', env, undefined],
    ['https://notinternal.test', env, 'secure:3128'],
    ['https://a.corp.test', env, undefined],
    ['https://a.lab.test', env, undefined],
    ['https://one.test:8443', env, undefined],
    ['https://one.test', env, 'secure:3128'],
    ['https://chat.test', { ...env, NO_PROXY: '*' }, undefined],
    ['http://127.0.0.1:3000', env, undefined],
    ['ws://localhost:3000', env, undefined],
    ['https://chat.test', {}, undefined],
  ])('leads %s with %o through %s', (origin, variables, host) => {
    expect(resolveProxy(undefined, variables)(origin)?.host).toBe(host);
  });

  it('takes the option before the environment, for every address, and false for none', () => {
    expect(resolveProxy('http://mine:1', env)('http://127.0.0.1')?.host).toBe('mine:1');
    expect(resolveProxy(false, env)('https://chat.test')).toBeUndefined();
  });
});
