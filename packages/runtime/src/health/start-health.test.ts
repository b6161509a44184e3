import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { READY } from '../../test/fake-gateway.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { startCommand } from '../../test/test-bot.js';
import { startHealth } from './start-health.js';

const TASKS = {
  failure: undefined,
  tasks: new Map<string, never>(),
  // No question is open.
  asks: { open: async function* () {} } as never,
};

async function start(port = 0) {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const health = await startHealth({ port, host: '127.0.0.1', clock, log });
  onTestFinished(() => health.close());
  const ask = async (path: string) => {
    const answer = await fetch(`${health.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  return { clock, log, health, ask };
}

describe('startHealth', () => {
  it('logs where it serves, and that the bot starts', async () => {
    const { log, health, ask } = await start();
    expect(log.at('info')).toEqual([`serving health at ${health.url}/healthz`]);
    expect(await ask('/readyz')).toEqual({
      status: 503,
      text: '{"ready":false,"phase":"starting"}\n',
    });
  });

  it('serves health without the library of the metrics', async () => {
    const health = await startHealth({
      port: 0,
      host: '127.0.0.1',
      clock: createFakeClock(),
      log: createRecordedLog(),
      importMetrics: () => Promise.reject(new Error('Cannot find package')),
    });
    onTestFinished(() => health.close());
    expect((await fetch(`${health.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${health.url}/metrics`)).status).toBe(501);
  });

  it('is not ready without tasks, storage or services, and says why; what else is missing only degrades it', async () => {
    const { health, ask } = await start();
    const rest = { limits: () => ({ origins: [] }) };
    const observers = health.observers.map((observer) => ({
      ...observer,
      connecting: ({ gateway }: { readonly gateway: never }) =>
        observer.connecting?.({ rest: rest as never, gateway }),
    }));
    await startCommand({ run: () => 'ok' }, { observers: observers as never });
    const well = { tasks: TASKS, storage: undefined, voice: {} };
    const readyWith = async (parts: Partial<Parameters<typeof health.needs>[0]>) => {
      health.needs({ ...well, ...parts });
      const { status, text } = await ask('/readyz');
      return [status, JSON.parse(text)];
    };
    expect(await readyWith({})).toEqual([200, { ready: true, phase: 'running' }]);
    const failure = 'tasks do not run: no libsql';
    expect(await readyWith({ tasks: { ...TASKS, failure } })).toEqual([
      503,
      { ready: false, phase: 'running', reasons: [failure] },
    ]);
    const storage = { get: () => Promise.reject(new Error('no such disk')) };
    expect(await readyWith({ storage })).toEqual([
      503,
      { ready: false, phase: 'running', reasons: ['no such disk'] },
    ]);
    let created: (services: never) => void = () => {};
    const services = { created: new Promise<never>((resolve) => (created = resolve)) };
    expect(await readyWith({ services })).toEqual([
      503,
      { ready: false, phase: 'running', reasons: ['the services are being created'] },
    ]);
    created({} as never);
    await vi.waitFor(async () => expect(await ask('/readyz')).toMatchObject({ status: 200 }));
    const voice = { missing: () => Promise.resolve('no ffmpeg') };
    expect(await readyWith({ voice })).toEqual([
      200,
      { ready: true, phase: 'running', degraded: ['no ffmpeg'] },
    ]);
  });

  it('follows a bot that it observes, and counts its commands', async () => {
    const { health, ask } = await start();
    const limits = () => ({
      origins: [],
      inFlight: { interaction: 0, general: 0, upload: 0 },
      queued: { interaction: 0, awaited: 0, background: 0 },
      rateLimited: 0,
    });
    const rest = { limits };
    const observers = health.observers.map((observer) => ({
      ...observer,
      // The members of the client that are read here.
      connecting: ({ gateway }: { readonly gateway: never }) =>
        observer.connecting?.({ rest: rest as never, gateway }),
    }));
    const bot = await startCommand({ run: () => 'ok' }, { observers: observers as never });
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    await bot.run('/x');
    expect((await ask('/metrics')).text).toContain(
      'virgule_commands_total{name="x",outcome="answered",caller="slash"} 1',
    );
    bot.gateway.status({ state: 'reconnecting', reason: 'lost', attempt: 1, delayMs: 5 });
    expect(await ask('/readyz')).toMatchObject({ status: 503 });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    bot.gateway.status({ state: 'ready', ready: READY, reconnected: true });
    health.closing();
    expect(await ask('/readyz')).toEqual({
      status: 503,
      text: '{"ready":false,"phase":"closing"}\n',
    });
  });

  it.each([
    [
      'counts open questions',
      true,
      async function* () {
        yield* [{}, {}];
      },
      '2',
    ],
    [
      'counts at most 1,000 of them',
      true,
      async function* () {
        for (;;) yield {};
      },
      '1000',
    ],
    [
      'reads no storage for a bot without tasks',
      false,
      async function* () {
        yield await Promise.reject(new Error('read'));
      },
      '0',
    ],
    [
      'has no count while the storage cannot be read',
      true,
      async function* () {
        yield await Promise.reject(new Error('away'));
      },
      'Nan',
    ],
  ])('%s', async (_, hasTasks, open, count) => {
    const { health, ask } = await start();
    const tasks = new Map(hasTasks ? [['deploy', {} as never]] : []);
    health.needs({
      tasks: { ...TASKS, tasks, asks: { open } as never },
      storage: undefined,
      voice: {},
    });
    expect((await ask('/metrics')).text).toContain(`virgule_asks_open ${count}\n`);
  });

  it('finds a bot unwell that has no connection for two minutes', async () => {
    const { clock, ask } = await start();
    await clock.advance(119_000);
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    await clock.advance(1_000);
    const { status, text } = await ask('/healthz');
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { status: 'failing', reasons: ['no connection and no attempt to connect for 120 s'] },
    ]);
  });

  it('leaves nothing running when it cannot listen', async () => {
    const { health } = await start();
    const clock = createFakeClock();
    const log = createRecordedLog();
    const port = Number(new URL(health.url).port);
    await expect(startHealth({ port, host: '127.0.0.1', clock, log })).rejects.toMatchObject({
      code: 'E_HEALTH_LISTEN',
    });
    expect(clock.pending).toBe(0);
    expect(log.lines).toEqual([]);
  });
});
