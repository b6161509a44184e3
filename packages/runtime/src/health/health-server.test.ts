import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHealthServer } from './health-server.js';
import type { Vitals } from './vitals.js';

const WELL: Vitals = {
  phase: 'running',
  closedBy: undefined,
  isReady: true,
  readyAgeMs: 5_000.4,
  ackAgeMs: 1_200,
  heartbeatMs: 25_000,
  notReadyForMs: undefined,
  stuckForMs: undefined,
  openBreakers: [],
};

const TYPE = 'text/plain; version=0.0.4; charset=utf-8' as const;

async function start(options: Partial<Parameters<typeof startHealthServer>[0]> = {}) {
  const server = await startHealthServer({
    port: 0,
    host: '127.0.0.1',
    vitals: () => WELL,
    metrics: { contentType: TYPE, metrics: async () => 'up 1\n' },
    ...options,
  });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.url).port);
  const ask = (path: string, host?: string, method = 'GET') =>
    new Promise<{ status: number | undefined; type: string | undefined; text: string }>(
      (resolve, reject) => {
        const headers = host === undefined ? {} : { host };
        const asked = request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
          let text = '';
          answer.on('data', (chunk) => (text += String(chunk)));
          answer.on('end', () =>
            resolve({ status: answer.statusCode, type: answer.headers['content-type'], text }),
          );
        });
        asked.on('error', reject);
        asked.end();
      },
    );
  return { server, port, ask };
}

describe('startHealthServer', () => {
  it('answers /healthz with 200 and what it looked at', async () => {
    const { ask } = await start();
    const { status, type, text } = await ask('/healthz?from=probe');
    expect([status, type]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toEqual({
      status: 'ok',
      phase: 'running',
      ready: true,
      readyAgeMs: 5_000,
      ackAgeMs: 1_200,
      notReadyForMs: null,
      breaker: 'closed',
      reasons: [],
    });
  });

  it('answers /healthz with 503 and the reasons when something is wrong', async () => {
    const { ask } = await start({
      vitals: () => ({ ...WELL, openBreakers: ['https://chat.test'], ackAgeMs: 90_000 }),
    });
    const { status, text } = await ask('/healthz');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      status: 'failing',
      breaker: 'open',
      ready: false,
      reasons: ['no heartbeat was answered for 90 s'],
    });
  });

  it('answers /readyz with 200 only while it can take commands', async () => {
    let vitals: Vitals = { ...WELL, phase: 'starting', isReady: false };
    const { ask } = await start({ vitals: () => vitals });
    expect(await ask('/readyz')).toMatchObject({ status: 503 });
    vitals = WELL;
    expect((await ask('/readyz')).text).toBe('{"ready":true,"phase":"running"}\n');
    vitals = { ...WELL, phase: 'closing' };
    expect(await ask('/readyz')).toMatchObject({ status: 503 });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  it('closes half-open requests', async () => {
    const { port } = await start({ requestTimeoutMs: 50 });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET /healthz HTTP/1.1\r\n');
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBeGreaterThan(0);
  });

  it.each([
    ['silent', ''],
    ['half-open', 'GET /healthz HTTP/1.1\r\n'],
    ['idle', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  ])('answers while many %s connections are held', async (_, sent) => {
    const { port, ask } = await start({ requestTimeoutMs: 60_000 });
    const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (const socket of sockets) socket.on('error', () => {}).resume();
    await Promise.all(
      sockets.map(async (socket) => {
        await once(socket, 'connect');
        socket.write(sent);
      }),
    );
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  it('names the library of the metrics when it is not installed', async () => {
    const { ask } = await start({ metrics: undefined });
    expect(await ask('/metrics')).toMatchObject({
      status: 501,
      text: 'Install prom-client to serve metrics.\n',
    });
  });

  it('serves the metrics as they are, and says when they cannot be had', async () => {
    const { ask } = await start();
    expect(await ask('/metrics')).toEqual({
      status: 200,
      type: TYPE,
      text: 'up 1\n',
    });
    const metrics = { contentType: TYPE, metrics: () => Promise.reject(new Error('secret')) };
    const broken = await start({ metrics });
    expect(await broken.ask('/metrics')).toMatchObject({
      status: 500,
      text: 'The metrics could not be collected.\n',
    });
  });

  it('knows no other path and no other method', async () => {
    const { ask } = await start();
    expect(await ask('/')).toMatchObject({ status: 404 });
    expect(await ask('/healthz', undefined, 'POST')).toMatchObject({ status: 405 });
    expect(await ask('/healthz', undefined, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it.each([
    ['127.0.0.1', 'localhost:9090', 200],
    ['127.0.0.1', '127.0.0.1', 200],
    ['127.0.0.1', '[::1]:9090', 200],
    ['127.0.0.1', 'evil.example', 403],
    ['127.0.0.1', 'localhost.evil.example:80', 403],
    ['127.0.0.1', '10.0.0.1', 403],
    // In a network the bot may have any host name.
    ['0.0.0.0', 'bot.internal:9090', 200],
  ])('bound to %s, answers a request for %s with %d', async (host, header, status) => {
    const { ask } = await start({ host });
    expect(await ask('/healthz', header)).toMatchObject({ status });
  });

  it('names its address', async () => {
    const { server, port } = await start();
    expect(server.url).toBe(`http://127.0.0.1:${port}`);
    expect(port).toBeGreaterThan(0);
  });

  it('says that it cannot listen, and why', async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({
      code: 'E_HEALTH_LISTEN',
      message: `Health cannot be served at 127.0.0.1:${port} (EADDRINUSE).`,
      hint: 'Stop the process that listens there, or pass another port with --health.',
    });
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'E_HEALTH_LISTEN',
      hint: expect.stringContaining('--health HOST:PORT'),
    });
  });

  // Again, for another program may take the port before this one does.
  it('frees its port at once, with connections that are open', { retry: 2 }, async () => {
    const { server, port, ask } = await start();
    await ask('/healthz');
    await Promise.all([server.close(), server.close()]);
    await expect(ask('/healthz')).rejects.toThrow(/ECONNREFUSED|hang up/);
    const again = await start({ port });
    expect(again.port).toBe(port);
  });
});
