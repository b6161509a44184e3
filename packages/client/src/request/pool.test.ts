import { createServer, type ServerResponse } from 'node:http';
import { Server, type AddressInfo } from 'node:net';
import { createDeadlines, createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closedAddress } from '../../test/dead-addresses.js';
import { eventually } from '../../test/eventually.js';
import { plainRequest } from '../../test/plain-request.js';
import { startScriptedServer } from '../../test/scripted-server.js';
import { Exchange } from './exchange.js';
import { createPools, type HttpDispatcher, type Lane, type Pools } from './pool.js';

const open = (origin: string, dispatcher?: HttpDispatcher) =>
  createPools({ origin, dispatcher, clock: systemClock, findProxy: () => undefined });

/** Sends a request to a pool. */
function start(pools: Pools, origin: string, lane: Lane): Exchange {
  const startMs = systemClock.monotonic();
  const deadlines = createDeadlines(systemClock);
  const deadlineAtMs = startMs + 60_000;
  const exchange = new Exchange({ deadlines, startMs, patienceMs: 60_000, deadlineAtMs });
  pools.dispatch(plainRequest(origin), lane, exchange);
  return exchange;
}

/** Sends a request to a pool. Returns how it ends. */
async function send(pools: Pools, origin: string, lane: Lane): Promise<number | Error> {
  const { status = 0, error = status } = await start(pools, origin, lane).result;
  return error;
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
    /** Refuses new connections, and keeps the open ones. */
    refuse: () => void Server.prototype.close.call(server),
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

  it.each<[string, unknown, Error]>([
    ['an error', new TypeError('invalid header'), new TypeError('invalid header')],
    ['anything else', 'no connection left', new Error('no connection left')],
  ])('ends a request whose dispatcher throws %s', async (_title, thrown, error) => {
    const dispatch = (): never => {
      throw thrown;
    };
    expect(await send(open('http://x', { dispatch }), 'http://x', 'general')).toEqual(error);
  });

  it('has one connection for requests that follow each other, and none above the limit', async () => {
    const { origin, counts, waiting, answer } = await startStorage();
    const pools = open(origin);
    onTestFinished(() => pools.destroy());
    for (let count = 1; count <= 3; count += 1) {
      const ended = send(pools, origin, 'general');
      await eventually(() => expect(waiting).toHaveLength(1));
      answer();
      expect(await ended).toBe(200);
    }
    expect(counts.opened).toBe(1);
    const many = Array.from({ length: 40 }, () => send(pools, origin, 'general'));
    await eventually(() => expect(waiting).toHaveLength(32));
    answer();
    await eventually(() => expect(waiting).toHaveLength(8));
    answer();
    expect(await Promise.all(many)).toEqual(many.map(() => 200));
    expect(counts.opened).toBe(32);
    // The others are left to close.
    const used = new Set<unknown>();
    for (let count = 1; count <= 3; count += 1) {
      const ended = send(pools, origin, 'general');
      await eventually(() => expect(waiting).toHaveLength(1));
      used.add(waiting[0]?.socket);
      answer();
      await ended;
    }
    expect(used.size).toBe(1);
  });

  it('opens more than 64 connections for answers only after a request has waited', async () => {
    const { origin, counts, waiting, answer } = await startStorage();
    const clock = createFakeClock();
    const pools = createPools({ origin, clock, findProxy: () => undefined });
    onTestFinished(() => pools.destroy());
    const many = Array.from({ length: 100 }, () => send(pools, origin, 'interaction'));
    await eventually(() => expect(waiting).toHaveLength(64));
    await clock.advance(9);
    answer();
    await eventually(() => expect(waiting).toHaveLength(36));
    // The first request that waited at the start of the 10 ms is being answered.
    await clock.advance(1);
    const more = Array.from({ length: 300 }, () => send(pools, origin, 'interaction'));
    await eventually(() => expect(waiting).toHaveLength(64));
    expect(counts.opened).toBe(64);
    await clock.advance(10);
    await eventually(() => expect(waiting).toHaveLength(256));
    const ended = Promise.all([...many, ...more]);
    let statuses: unknown;
    void ended.then((all) => (statuses = all));
    await eventually(() => {
      answer();
      expect(statuses).toEqual(Array.from({ length: 400 }, () => 200));
    });
    expect(counts.opened).toBe(256);
  });

  it('opens connections for requests that have waited although others were answered meanwhile', async () => {
    const { origin, counts, waiting, answer } = await startStorage();
    const clock = createFakeClock();
    const pools = createPools({ origin, clock, findProxy: () => undefined });
    onTestFinished(() => pools.destroy());
    const held = Array.from({ length: 64 }, () => send(pools, origin, 'interaction'));
    await eventually(() => expect(waiting).toHaveLength(64));
    const stuck = waiting.splice(0, 63);
    const more = Array.from({ length: 40 }, () => send(pools, origin, 'interaction'));
    for (let ms = 0; ms < 10; ms += 5) {
      answer();
      await eventually(() => expect(waiting).toHaveLength(1));
      await clock.advance(5);
    }
    await eventually(() => expect(waiting).toHaveLength(39));
    expect(counts.opened).toBe(64 + 38);
    waiting.push(...stuck);
    answer();
    expect(new Set(await Promise.all([...held, ...more]))).toEqual(new Set([200]));
  });

  it('uses the open connections when another one was lost and cannot be opened again', async () => {
    const { origin, counts, waiting, answer, refuse } = await startStorage();
    const pools = open(origin);
    onTestFinished(() => pools.destroy());
    const many = Array.from({ length: 3 }, () => send(pools, origin, 'general'));
    await eventually(() => expect(waiting).toHaveLength(3));
    const last = waiting.at(-1)?.socket;
    answer();
    await Promise.all(many);
    refuse();
    last?.destroy();
    await eventually(() => expect(counts.open).toBe(2));
    // The client has read the end of the connection once a later request has ended, which may have used this connection.
    const first = send(pools, origin, 'general').catch(() => 0);
    let hasEnded = false;
    void first.then(() => (hasEnded = true));
    await eventually(() => {
      answer();
      expect(hasEnded).toBe(true);
    });
    const probes = Array.from({ length: 2 }, () => send(pools, origin, 'general'));
    await eventually(() => expect(waiting).toHaveLength(2));
    answer();
    expect(await Promise.all(probes)).toEqual([200, 200]);
  });

  it('sends no request that was given up while it waited for a connection', async () => {
    const { origin, counts, waiting, answer } = await startStorage();
    const pools = open(origin);
    onTestFinished(() => pools.destroy());
    const many = Array.from({ length: 32 }, () => send(pools, origin, 'general'));
    await eventually(() => expect(waiting).toHaveLength(32));
    const late = Array.from({ length: 40 }, () => start(pools, origin, 'general'));
    for (const exchange of late) exchange.interrupt();
    answer();
    await Promise.all(many);
    const next = send(pools, origin, 'general');
    await eventually(() => expect(waiting).toHaveLength(1));
    answer();
    expect(await next).toBe(200);
    expect(counts).toEqual({ opened: 32, open: 32 });
  });

  it('ends the requests that wait for a connection which cannot be opened', async () => {
    const origin = `http://${await closedAddress()}`;
    const pools = open(origin);
    onTestFinished(() => pools.destroy());
    const many = Array.from({ length: 40 }, () => send(pools, origin, 'general'));
    const refused = expect.objectContaining({ code: 'ECONNREFUSED' });
    expect(await Promise.all(many)).toEqual(many.map(() => refused));
  });

  it('ends the requests that wait for a connection when it is destroyed', async () => {
    const { origin, waiting } = await startStorage();
    const pools = open(origin);
    const many = Array.from({ length: 40 }, () => send(pools, origin, 'general'));
    await eventually(() => expect(waiting).toHaveLength(32));
    await pools.destroy();
    expect(await Promise.all(many)).toEqual(many.map(() => expect.any(Error)));
  });

  it('keeps connections to storages for 4 s at most, whatever they say', async () => {
    const storages = await Promise.all(Array.from({ length: 7 }, startStorage));
    const pools = open('http://chat.test');
    onTestFinished(() => pools.destroy());
    const upload = async (storage: (typeof storages)[number]): Promise<void> => {
      const ended = send(pools, storage.origin, 'upload');
      await eventually(() => expect(storage.waiting).toHaveLength(1));
      storage.answer();
      expect(await ended).toBe(200);
    };
    for (const storage of storages) await upload(storage);
    for (const { counts } of storages) {
      await eventually(() => expect(counts).toEqual({ opened: 1, open: 0 }));
    }
    const [again] = storages;
    if (again) await upload(again);
    expect(again?.counts.opened).toBe(2);
  });
});
