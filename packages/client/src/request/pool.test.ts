import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../test/eventually.js';
import { plainRequest } from '../../test/plain-request.js';
import { startScriptedServer } from '../../test/scripted-server.js';
import { createPools, type HttpHandler, type Lane, type Pools } from './pool.js';

const open = (origin: string) =>
  createPools({ origin, clock: systemClock, findProxy: () => undefined });

/** Sends a request to a pool. Returns how it ends. */
function send(pools: Pools, origin: string, lane: Lane): Promise<number | Error> {
  return new Promise((resolve) => {
    let status = 0;
    const handler: HttpHandler = {
      onRequestStart: () => {},
      onResponseStart: (_controller, statusCode) => (status = statusCode),
      onResponseData: () => {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => resolve(error),
    };
    pools.to(origin, lane).dispatch(plainRequest(origin), handler);
  });
}

/** A request to a pool, and how it ends. */
function ask(origin: string) {
  const pools = open(origin);
  return { pools, ended: send(pools, origin, 'general') };
}

/** A storage that counts its connections. `answer` ends the requests that wait. */
async function startStorage() {
  const counts = { opened: 0, open: 0 };
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => void waiting.push(response));
  // Longer than the test: undici then keeps a connection as long as the server does.
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    counts.opened += 1;
    counts.open += 1;
    socket.on('close', () => (counts.open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const answer = (): void => {
    for (const response of waiting.splice(0)) response.end();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    waiting,
    answer,
  };
}

describe('createPools', () => {
  it('sends what was asked of it while undici was still loading', async () => {
    const server = await startScriptedServer(() => ({ status: 204 }));
    const { pools, ended } = ask(server.url);
    expect(await ended).toBe(204);
    await pools.destroy();
  });

  it('opens no connection any more when it is destroyed while undici is loading', async () => {
    const server = await startScriptedServer(() => ({ status: 204 }));
    const { pools, ended } = ask(server.url);
    await pools.destroy();
    expect(await ended).toEqual(new Error('The client is closed.'));
    expect(server.requests).toHaveLength(0);
  });

  it('keeps six pools for uploads, and closes the one that was used least lately', async () => {
    const storages = await Promise.all(Array.from({ length: 7 }, startStorage));
    const [kept, retired, busy, ...others] = storages;
    if (!kept || !retired || !busy) throw new Error('There are seven.');
    const pools = open('http://chat.test');
    onTestFinished(() => pools.destroy());
    const upload = async (storage: typeof kept): Promise<void> => {
      const ended = send(pools, storage.origin, 'upload');
      await eventually(() => expect(storage.waiting).toHaveLength(1));
      storage.answer();
      expect(await ended).toBe(200);
    };
    await upload(kept);
    await upload(retired);
    // Two of the six: one is in use again, one has a request in flight when its turn comes.
    const slow = send(pools, busy.origin, 'upload');
    await eventually(() => expect(busy.waiting).toHaveLength(1));
    for (const each of others.slice(0, 3)) await upload(each);
    await upload(kept);
    for (const each of others.slice(3)) await upload(each);
    await eventually(() => expect(retired.counts).toEqual({ opened: 1, open: 0 }));
    expect(kept.counts).toEqual({ opened: 1, open: 1 });
    // It is opened again when it is needed, in the place of the slow one, whose request still ends.
    await upload(retired);
    expect(retired.counts.opened).toBe(2);
    busy.answer();
    expect(await slow).toBe(200);
    await eventually(() => expect(busy.counts.open).toBe(0));
    expect(kept.counts).toEqual({ opened: 1, open: 1 });
  });
});
