import { createRest } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { startSimulator } from '@virgule/simulator';
import { expect, onTestFinished, vi } from 'vitest';
import type { DevReport } from '../src/dev/ui/dev-report.js';
import { simulatorPlatform, type DevPlatform } from '../src/dev/server/dev-platform.js';
import {
  startDevServer,
  type DevServer,
  type DevServerOptions,
} from '../src/dev/server/dev-server.js';
import type { WatchOptions } from '../src/loader/watch/watch-project.js';
import { createFakeChild, type FakeChild } from './fake-child.js';
import { until } from './until.js';

/** Opens a dev server whose first process runs, with the command `/x`, and a client of its platform. */
export async function openCommandServer() {
  const dev = await openDevServer();
  await dev.begin();
  const { token, baseUrl } = dev.platform;
  const rest = createRest({ token, baseUrl });
  onTestFinished(() => rest.close());
  await rest.commands.replace([{ name: 'x', description: 'X', options: [] }]);
  return { dev, rest };
}

export type TestDevServer = Awaited<ReturnType<typeof openDevServer>>;

/** A dev server that is starting: a real platform and socket, but processes, files and time of the test's own. */
export async function openDevServer(
  options: Partial<Pick<DevServerOptions, 'root' | 'env' | 'inspectPort'>> & {
    /** Differences of the platform from a simulator. */
    readonly platform?: Partial<DevPlatform>;
  } = {},
) {
  const { root = '/project' } = options;
  const platform = await startSimulator();
  const clock = createFakeClock();
  const processes: FakeChild[] = [];
  const reports: DevReport[] = [];
  const log = { error: vi.fn(), warn: vi.fn() };
  const env: Record<string, string> = { MODE: 'first' };
  const interrupt = new AbortController();
  let watching: WatchOptions | undefined;
  /** The folders that it was asked to watch as well. */
  const folders: string[] = [];

  /** The part of the platform that a test may change later. */
  const platformOptions = { ...simulatorPlatform(platform), ...options.platform };
  const server = startDevServer({
    root,
    env: () => ({ ...env }),
    report: (report) => reports.push(report),
    log: { ...silentLog, ...log },
    signal: interrupt.signal,
    clock,
    ...options,
    platform: {
      ...platformOptions,
      stateOf: platformOptions.stateOf && ((id) => platformOptions.stateOf?.(id) ?? 'answered'),
    },
    startChild(options) {
      const fake = createFakeChild(options);
      processes.push(fake);
      return fake.child;
    },
    watch(options) {
      watching = options;
      const close = (): void => void (watching = undefined);
      return { add: (more) => void folders.push(...more), close, [Symbol.dispose]: close };
    },
  });
  // The tests check whether the start is refused.
  server.catch(() => {});
  onTestFinished(async () => {
    interrupt.abort('SIGINT');
    await server.then((started) => started.close()).catch(() => {});
    await platform.close();
  });

  const connected = () => until(() => expect(platform.snapshot().bot.connected).toBe(true));
  function nth(index: number): FakeChild {
    const found = processes[index];
    if (!found) throw new Error(`There is no process ${index} of ${processes.length}.`);
    return found;
  }

  return {
    platform,
    platformOptions,
    clock,
    processes,
    reports,
    log,
    env,
    interrupt,
    server,
    folders,
    connected,
    nth,
    /** Requests of the server to the watcher; empty once the watcher is closed. */
    watching: () => watching,
    types: () => reports.map(({ type }) => type),
    spawned: (count: number) => until(() => expect(processes).toHaveLength(count)),
    save: (...files: string[]) => files.forEach((file) => watching?.onChange(`${root}/${file}`)),
    /** No file changes for as long as it takes to be certain that no more will. */
    quiet: () => clock.advance(20),
    /** Lets everything happen that needs no time. */
    settled: () => clock.advance(0),
    /** Gets the server to the point where it is ready. */
    async begin(): Promise<DevServer> {
      nth(0).start();
      const started = await server;
      await connected();
      reports.length = 0;
      return started;
    },
  };
}
