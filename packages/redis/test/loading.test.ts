import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { expect, it, onTestFinished, vi } from 'vitest';
import { redis, redisStorage } from '../src/redis.js';

const INFO = 'loading:1\r\nloading_eta_seconds:60\r\n';

/** Starts a Redis that loads its data, and never ends. */
async function startLoading() {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const command of data
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const isInfo = /\binfo\b/i.test(command);
        if (isInfo) asked += 1;
        socket.write(isInfo ? `$${INFO.length}\r\n${INFO}\r\n` : '+OK\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const isAsked = (): Promise<void> => vi.waitFor(() => expect(asked).toBeGreaterThan(0));
  return { url: `redis://127.0.0.1:${port}`, isAsked };
}

const UNREACHABLE = {
  code: 'E_REDIS_UNREACHABLE',
  message: expect.stringContaining('cannot be reached: Redis is loading its data.'),
};

async function open(wait: boolean) {
  const { url, isAsked } = await startLoading();
  const clock = createFakeClock();
  const stopping = new AbortController();
  const warnings: unknown[] = [];
  const opening = redis({ url }).open({
    env: {},
    applicationId: 'a',
    maxAgeMs: 1,
    clock,
    log: { ...silentLog, warn: (details) => void warnings.push(details) },
    wait,
    signal: stopping.signal,
    hide: () => {},
  });
  opening.catch(() => {});
  await isAsked();
  return { opening, clock, stopping, warnings };
}

it('a start fails when Redis loads its data for 5 s, and says so', async () => {
  const { opening, clock } = await open(false);
  await clock.advance(5_000);
  await expect(opening).rejects.toMatchObject(UNREACHABLE);
});

it('a start with --wait says once that Redis loads its data, and ends with its signal', async () => {
  const { opening, clock, stopping, warnings } = await open(true);
  await clock.advance(60_000);
  expect(warnings).toMatchObject([{ error: UNREACHABLE.message }]);
  const reason = new Error('SIGTERM');
  stopping.abort(reason);
  await expect(opening).rejects.toBe(reason);
});

it('an operation of the storage fails when Redis loads its data for 5 s', async () => {
  const { url, isAsked } = await startLoading();
  const clock = createFakeClock();
  const opening = redisStorage({ url, name: 'a' }).open({ clock, log: silentLog, root: '.' });
  opening.catch(() => {});
  await isAsked();
  await clock.advance(5_000);
  await expect(opening).rejects.toMatchObject(UNREACHABLE);
});
