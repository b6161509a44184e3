import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createGateway, type GatewayOptions } from '@virgule/client/gateway';
import { raceAbort } from '@virgule/core/abort';
import { systemClock, type Clock } from '@virgule/core/clock';
import { errorCode, errorText, type VirguleError } from '@virgule/core/errors';
import { STATE_FOLDER } from '@virgule/core/fs';
import { bareAddress } from '@virgule/core/log';
import type { SimProblem } from '@virgule/core/simulator-api';
import { createSerialQueue } from '../../loader/serial-queue.js';
import { watchProject } from '../../loader/watch/watch-project.js';
import type { DevPlatform } from './dev-platform.js';
import type { Env } from '@virgule/runtime/project';
import type { DevReport } from '../ui/dev-report.js';
import { Supervisor, type SupervisorOptions } from './supervisor.js';

const require = createRequire(import.meta.url);

/** Time in milliseconds after which a running stop shows a notice. */
const SLOW_END_MS = 1_000;
const SLOW_END = 'Waiting for running handlers. Press Ctrl+C again to end now.';

export interface DevServerOptions extends Omit<
  SupervisorOptions,
  'clock' | 'onFolders' | 'onWanted' | 'hasChanges' | 'isClosing'
> {
  /** Selects the files with variables. @defaultValue `'development'` */
  readonly mode?: string | undefined;
  /** Aborts the start; later, `close` ends the server. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** Creates the file watcher. @defaultValue watches the files on disk; `null` watches nothing */
  readonly watch?: typeof watchProject | null | undefined;
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>;

/**
 * Runs a bot in development. This process has the terminal, the watcher, the platform and the socket; a child
 * process, which can be replaced without a reconnect, runs the code. The valid part of a project with problems is
 * started as well.
 * @throws VirguleError `E_UNAUTHORIZED` when a real platform refuses the token, and the reason of the signal.
 */
export async function startDevServer(options: DevServerOptions) {
  const { root, platform, env, log, signal, clock = systemClock, watch = watchProject } = options;
  const startedMs = clock.monotonic();
  let closing: Promise<void> | undefined;
  let fail: (error: VirguleError) => void = () => {};
  const failed = new Promise<VirguleError>((resolve) => (fail = resolve));

  function report(what: DevReport): void {
    // During the close, only the output of the bot is shown.
    if (!closing || what.type === 'output') options.report(what);
    if (what.type === 'reload') platform.reloaded?.(what.files);
    if (what.type === 'restart') platform.reloaded?.([]);
  }

  const changes = new Changes(clock);
  const supervisor = new Supervisor({
    ...options,
    env: () => envOfBot(env(), platform),
    clock,
    report,
    onFolders: (folders) => watcher?.add(folders),
    onWanted: (reason) =>
      inTurn(async () => {
        // A change may have started a child by then.
        if (!supervisor.isAnswering) await supervisor.replace(reason);
      }),
    hasChanges: () => !changes.isEmpty,
    isClosing: () => closing !== undefined,
  });

  platform.answerWith?.((question) => supervisor.ask(question));

  // Changes and restarts run one after the other, the first of them after the start has ended. No change is lost
  // while another is in progress, and no two processes are started for one bot.
  const enqueue = createSerialQueue();
  let begin = (): void => {};
  void enqueue(() => new Promise<void>((resolve) => (begin = resolve)));
  const inTurn = (task: () => Promise<void>): void =>
    void enqueue(task).catch((error: unknown) =>
      log.error({ err: error }, 'cannot apply a change'),
    );

  const gateway = createGateway({
    token: platform.token,
    gatewayUrl: platform.gatewayUrl,
    // Not imported: Node.js would first parse eight files for their names, which takes longer than running them.
    WebSocket: require('ws') as GatewayOptions['WebSocket'],
    clock,
    log,
    checkToken: platform.checkToken,
    stateFile: join(root, STATE_FOLDER, 'gateway.json'),
  });
  let takenMs = -Infinity;
  async function takeChanges(): Promise<void> {
    // The first change is taken at once. A change that follows closely may be part of a larger one.
    if (clock.monotonic() - takenMs < QUIET_MS) await changes.quiet();
    if (!closing) await supervisor.change(changes.take());
    takenMs = clock.monotonic();
  }

  const watcher = watch?.({
    root,
    mode: options.mode,
    clock,
    poll: isOn(env()['CHOKIDAR_USEPOLLING']),
    onChange(file) {
      // The current load may never end, and this change may fix it.
      supervisor.changed(file);
      if (changes.isEmpty) inTurn(takeChanges);
      changes.add(file);
    },
    onError: (error) => report({ type: 'notice', text: watchTrouble(error) }),
  });

  async function shutDown(): Promise<void> {
    watcher?.close();
    const onSlow = () => options.report({ type: 'notice', text: SLOW_END });
    const slowEnd = clock.setTimeout(onSlow, SLOW_END_MS);
    await gateway.close();
    await supervisor.stop();
    slowEnd.cancel();
    await platform.close();
  }
  const close = (): Promise<void> => (closing ??= shutDown());

  async function start(): Promise<void> {
    const loading = supervisor.start();
    const connecting = gateway.connect({
      dispatch: (event) => supervisor.deliver(event),
      status(status) {
        // Only a real platform ends a connection for good.
        if (status.state === 'closed' && status.error) fail(status.error);
        else supervisor.status(status);
      },
    });
    const [first, { displayName }] = await Promise.all([loading, connecting]);
    const { commands, events, tasks } =
      first.start.type === 'loaded' ? first.start : { commands: 0, events: 0, tasks: 0 };
    const { live, page, restored, baseUrl, gatewayUrl, token, userToken } = platform;
    report({
      type: 'ready',
      live,
      ...(page !== undefined && { page }),
      ...(restored !== undefined && { restored }),
      baseUrl: bareAddress(baseUrl),
      gatewayUrl: bareAddress(gatewayUrl),
      ...(!live && { token, userToken }),
      bot: displayName,
      commands,
      events,
      tasks,
      ...(first.start.type !== 'loaded' && { answering: false as const }),
      ms: Math.round(clock.monotonic() - startedMs),
    });
    supervisor.started(first);
    begin();
  }

  try {
    signal?.throwIfAborted();
    await (signal ? raceAbort(start(), signal) : start());
    return {
      /** Current problems of the project. */
      get problems(): readonly SimProblem[] {
        return supervisor.problems.shown;
      },
      /** Resolves when the server cannot continue: a real platform closed the connection permanently. */
      failed,
      /** Stops the current process, and starts a new one regardless of the files. */
      restart: (reason: string): void => inTurn(() => supervisor.replace(reason, true)),
      /** Compares the commands with the registered ones, and reports the difference. Only on a real platform. */
      plan: (): void => supervisor.plan(),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the environment of a bot. On a simulator, the simulator's token replaces the real token. */
const envOfBot = (env: Env, { live, token }: DevPlatform): Env =>
  live || !env['BOT_TOKEN'] ? env : { ...env, BOT_TOKEN: token };

/** Returns the reason why files cannot be watched, in one line with the fix. */
function watchTrouble(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EMFILE')
    return 'The limit of watched files is reached: raise fs.inotify.max_user_watches, or set CHOKIDAR_USEPOLLING=1.';
  return `Some files cannot be watched for changes: ${errorText(error)}. Set CHOKIDAR_USEPOLLING=1 to poll them instead.`;
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

/** Time in milliseconds without file changes before the changes are taken. */
const QUIET_MS = 20;
/** Time in milliseconds after which changes are taken even if files still change. */
const MAX_WAIT_MS = 1_000;
/** Limits for so many files that a checkout or a tool writes them, more slowly than an editor. */
const MANY = { files: 5, quietMs: 100, maxWaitMs: 5_000 };

/** Collects files that change. Changes that follow the first one closely, as in a checkout, are taken together. */
export class Changes {
  readonly #clock: Clock;
  readonly #files = new Set<string>();
  #lastMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if all changed files were taken. */
  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  add(file: string): void {
    this.#files.add(file);
    this.#lastMs = this.#clock.monotonic();
  }

  /** Returns the files that have changed since the last call, in order. */
  take(): readonly string[] {
    const files = [...this.#files];
    this.#files.clear();
    return files;
  }

  /** Resolves when no file has changed for {@link QUIET_MS}, longer for many files, or after the maximum wait. */
  async quiet(): Promise<void> {
    const sinceMs = this.#clock.monotonic();
    for (;;) {
      const nowMs = this.#clock.monotonic();
      const isMany = this.#files.size >= MANY.files;
      const quietMs = isMany ? MANY.quietMs : QUIET_MS;
      const maxWaitMs = isMany ? MANY.maxWaitMs : MAX_WAIT_MS;
      const leftMs = Math.min(this.#lastMs + quietMs, sinceMs + maxWaitMs) - nowMs;
      if (leftMs <= 0) return;
      await this.#clock.sleep(leftMs);
    }
  }
}
