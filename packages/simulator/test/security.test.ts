import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';
import { openSession, uploadFile } from './upload-file.js';

const EVERYWHERE = [
  '/',
  '/assets/x.js',
  '/api/bot/v1/users/@me',
  '/_sim/state',
  '/_files/x',
  '/_ui',
];

/** Returns the status of the response to an upgrade; 101 if the server accepts it. */
function upgradeStatus(
  platform: Platform,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(platform.simulator.gatewayUrl + path, { headers });
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
    socket.on('error', reject);
    socket.on('open', () => socket.terminate());
  });
}

describe('access to the simulator', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '192.168.0.10'])(
    'refuses the Host %j everywhere: a rebound name gets nothing',
    async (host) => {
      const platform = await openPlatform();
      for (const path of EVERYWHERE) {
        const reply = await platform.send('GET', path, { headers: { host } });
        expect(refusalOf(reply)).toEqual({ status: 421, code: 'sim_foreign_host' });
      }
      for (const path of ['/gateway/bot', '/_ui']) {
        expect(await upgradeStatus(platform, path, { host })).toBe(421);
      }
    },
  );

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:7300'])(
    'takes the Host %s',
    async (host) => {
      const platform = await openPlatform();
      const reply = await platform.send('GET', '/_sim/state', { headers: { host } });
      expect(reply.status).toBe(200);
    },
  );

  it('listens on this machine alone for an empty host', async () => {
    const platform = await openPlatform({ host: '' });
    expect(platform.simulator.baseUrl).toBe(`http://127.0.0.1:${platform.simulator.port}`);
  });

  it.each(['http://evil.example', 'null', 'http://localhost:1', 'http://127.0.0.1'])(
    'refuses the Origin %s everywhere: another page gets nothing',
    async (origin) => {
      const platform = await openPlatform();
      for (const path of EVERYWHERE) {
        const reply = await platform.send('GET', path, { headers: { origin } });
        expect(refusalOf(reply)).toEqual({ status: 403, code: 'sim_foreign_origin' });
      }
      for (const path of ['/gateway/bot', '/_ui']) {
        expect(await upgradeStatus(platform, path, { origin })).toBe(403);
      }
      expect(platform.simulator.messages()).toHaveLength(1);
    },
  );

  it('spends no fault on another page, whose sockets would use it up', async () => {
    const platform = await openPlatform();
    const fault = { on: { connect: true }, do: { type: 'status', status: 503 }, times: 1 } as const;
    platform.simulator.setFaults({ rules: [{ name: 'once', ...fault }] });
    const foreign = { origin: 'http://evil.example' };
    expect(await upgradeStatus(platform, '/gateway/bot', foreign)).toBe(403);
    expect(await upgradeStatus(platform, '/gateway/bot', {})).toBe(503);
  });

  it('takes its own page and programs', async () => {
    const platform = await openPlatform();
    const origin = platform.simulator.baseUrl;
    expect((await platform.send('GET', '/_sim/state', { headers: { origin } })).status).toBe(200);
    expect(await upgradeStatus(platform, '/_ui', { origin })).toBe(101);
    expect(await upgradeStatus(platform, '/gateway/bot', {})).toBe(101);
  });

  it('takes a WebSocket only where there is one', async () => {
    const platform = await openPlatform();
    expect(await upgradeStatus(platform, '/elsewhere', {})).toBe(404);
    expect(await upgradeStatus(platform, '/toString', {})).toBe(404);
    const reply = await platform.send('GET', '/gateway/bot');
    expect(refusalOf(reply)).toEqual({ status: 426, code: 'sim_upgrade_required' });
  });

  it('listens on loopback', async () => {
    const { simulator } = await openPlatform();
    expect(simulator.page).toBe(`http://127.0.0.1:${simulator.port}/`);
  });

  it('accepts the name of the host that it listens on', async () => {
    const platform = await openPlatform({ host: '127.0.0.2' });
    expect(platform.simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect((await platform.send('GET', '/_sim/state')).status).toBe(200);
  });

  it('forbids every answer to be guessed at or embedded elsewhere', async () => {
    const platform = await openPlatform();
    for (const path of EVERYWHERE) {
      expect((await platform.send('GET', path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('survives a request that breaks off and one that is no HTTP', async () => {
    const platform = await openPlatform();
    const { port, token } = platform.simulator;
    const path = `/api/bot/v1/channels/${platform.channelId('general')}/messages`;
    const halves = [
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bot ${token}\r\ncontent-length: 99\r\n\r\n{"co`,
      'GARBAGE\r\n\r\n',
    ];
    for (const half of halves) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(half));
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
    expect((await platform.send('GET', '/_sim/state')).status).toBe(200);
  });
});

describe('what the simulator logs', () => {
  it('never writes a token, a key of a file, or a query', async () => {
    const lines: string[] = [];
    const write = (details: object, message: string): number =>
      lines.push(JSON.stringify({ details, message }));
    const log = { debug: write, info: write, warn: write, error: write };
    const platform = await openPlatform({ log });
    await platform.connect();
    await platform.call('users.me');
    await platform.call('voice.join', { channelId: platform.channelId('Lounge') });
    const session = await openSession(platform);
    await uploadFile(platform);
    await platform.send('GET', '/api/bot/v1/nothing?token=secret-in-query');
    const text = lines.join('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const { token = platform.simulator.token } of platform.simulator.snapshot().users) {
      expect(text).not.toContain(token);
    }
    expect(text).not.toContain(session.objectKey);
    expect(text).not.toContain('secret-in-query');
    expect(text).not.toMatch(/sim-(bot|user|voice|stream)-/);
  });
});
