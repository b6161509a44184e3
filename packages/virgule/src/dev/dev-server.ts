import { relative } from 'node:path';
import { createGateway, type GatewayEvent, type GatewayPort } from '@virgule/client/gateway';
import { systemClock, type Clock, type Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Ready } from '@virgule/core/protocol';
import type { SimProblem } from '@virgule/core/simulator-api';
import type { Simulator } from '@virgule/simulator';
import { cliErrors } from '../cli/cli-errors.js';
import { watchProject } from '../loader/watch.js';
import { fromSimProblem, ProjectProblems, toSimProblem } from '../project/project-problems.js';
import { startBotProcess, type BotProcess } from './bot-process.js';
import type { DevReport } from './dev-report.js';
import { createEventBuffer } from './event-buffer.js';

export interface DevServerOptions {
  /** The project's folder. */
  readonly root: string;
  /** The platform to run on; it is closed with the server. */
  readonly platform: Simulator;
  /** Gives the environment of a bot's process; asked for each one, since `.env` may have changed. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  /** Ends the start early; later `close` does. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** @defaultValue a process of its own */
  readonly startProcess?: typeof startBotProcess | undefined;
  /** @defaultValue the files on disk */
  readonly watch?: typeof watchProject | undefined;
}

export interface DevServer {
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A process that was lost is started again after this many milliseconds, doubled each time up to the longest. */
const RESTART_MS = { first: 250, longest: 10_000 };
/** A process that lived this long was sound: the next loss starts from the first delay. */
const SOUND_MS = 30_000;

/**
 * Runs a bot in development. This process holds the terminal, the watcher, the platform and the
 * gateway's socket; a child holds the bot's code, and can be replaced without a reconnect.
 *
 * @throws ProjectProblems when the project's files have problems at the start, VirguleError `E_CHILD_LOST` when
 *   the process ends before it has loaded them, and the reason of the signal. Nothing is left running then.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, platform, env, log, signal, clock = systemClock } = options;
  const { startProcess = startBotProcess, watch = watchProject } = options;
  const startedMs = clock.monotonic();
  const buffer = createEventBuffer(clock);
  /** Every process that has not ended: the current one, its successor, and those that still drain. */
  const living = new Set<BotProcess>();
  let current: BotProcess | null = null;
  let ready: Ready | null = null;
  let problems: readonly SimProblem[] = [];
  let restart: Timer | undefined;
  let restartDelayMs = RESTART_MS.first;
  let closing: Promise<void> | undefined;

  function report(what: DevReport): void {
    // What a bot still has to say while it ends is shown; what becomes of it is nobody's concern any more.
    if (!closing || what.type === 'output') options.report(what);
  }

  function tell(next: readonly SimProblem[]): void {
    if (closing || (next.length === 0 && problems.length === 0)) return;
    problems = next;
    platform.report(next);
    if (next.length > 0) report({ type: 'problems', problems: next, answering: current !== null });
  }

  function spawn(): BotProcess {
    const spawnedMs = clock.monotonic();
    const child = startProcess({
      root,
      token: platform.token,
      baseUrl: platform.baseUrl,
      env: env(),
      clock,
      onLine: (line, stream) => report({ type: 'output', stream, line }),
      onLost: (how) => {
        if (child !== current) return;
        current = null;
        if (clock.monotonic() - spawnedMs > SOUND_MS) restartDelayMs = RESTART_MS.first;
        lost(how);
      },
    });
    living.add(child);
    void child.ended.then(() => living.delete(child));
    return child;
  }

  /** Starts a new process after a while, unless a change has brought one by then. */
  function lost(how: string): void {
    report({ type: 'lost', how });
    restart?.cancel();
    restart = clock.setTimeout(() => {
      inTurn(async () => (current ? undefined : replace(`the process ended: ${how}`)));
    }, restartDelayMs);
    restartDelayMs = Math.min(restartDelayMs * 2, RESTART_MS.longest);
  }

  function deliver(event: GatewayEvent): void {
    const child = current;
    if (!child) return buffer.add(event);
    // It ended a moment ago, which is told by `onLost` soon, or was already.
    child.send({ type: 'event', event }, () =>
      child === current ? buffer.add(event) : deliver(event),
    );
  }

  /** Hands the events over to a process that is loaded. */
  function activate(child: BotProcess): void {
    current = child;
    if (ready) child.send({ type: 'ready', ready });
    const { events, dropped } = buffer.take();
    for (const event of events) deliver(event);
    if (dropped > 0) report({ type: 'dropped', events: dropped });
  }

  /** Starts a new process beside the old one, and changes over once it is loaded. */
  async function replace(reason: string): Promise<void> {
    if (closing) return;
    restart?.cancel();
    const beganMs = clock.monotonic();
    const next = spawn();
    const start = await next.started;
    // Everything that lives was stopped by `close`.
    if (closing) return;
    if (start.outcome === 'loaded') {
      const old = current;
      activate(next);
      tell([]);
      report({ type: 'restart', reason, ms: Math.round(clock.monotonic() - beganMs) });
      // Not waited for: its handlers may take their time, and the next change need not.
      void old?.stop();
    } else if (start.outcome === 'refused') {
      tell(start.problems);
    } else if (current) {
      tell([toSimProblem(cliErrors.E_CHILD_LOST({ how: start.how }), root)]);
    } else {
      lost(start.how);
    }
  }

  async function change(files: readonly string[]): Promise<void> {
    const beganMs = clock.monotonic();
    const names = files.map((file) => relative(root, file));
    // Without a process, the code was not sound, or did not stay up: this change may have mended it.
    if (!current) return replace(`${names.join(', ')} changed`);
    const result = await current.reload(files);
    // The process was lost meanwhile; its successor reads the files as they are now.
    if (!result || result.outcome === 'unchanged') return;
    if (result.outcome === 'unsupported') return replace(result.reason);
    if (result.outcome === 'failed') return tell(result.problems);
    tell([]);
    report({
      type: 'reload',
      files: names,
      evaluated: result.evaluated,
      synced: result.synced,
      ms: Math.round(clock.monotonic() - beganMs),
    });
  }

  // Changes and restarts are taken one after the other, the first of them after the start has ended:
  // none is lost while another is under way, and no two processes are started for one bot.
  let begin = (): void => {};
  let tail = new Promise<void>((resolve) => {
    begin = resolve;
  });
  function inTurn(task: () => Promise<void>): void {
    tail = tail
      .then(task)
      .catch((error: unknown) => log.error({ err: error }, 'A change could not be taken over.'));
  }

  const gateway: GatewayPort = createGateway({
    token: platform.token,
    gatewayUrl: platform.gatewayUrl,
    clock,
    log,
  });
  const watcher = watch({
    root,
    clock,
    onChange: (paths) => inTurn(() => change(paths)),
    onError: (error) => log.error({ err: error }, 'Some files cannot be watched for changes.'),
  });

  async function shutDown(): Promise<void> {
    restart?.cancel();
    await watcher.close();
    await gateway.close();
    await Promise.all([...living].map((child) => child.stop()));
    await platform.close();
  }
  const close = (): Promise<void> => (closing ??= shutDown());

  async function start(): Promise<void> {
    const first = spawn();
    const loading = first.started.then((outcome) => {
      if (outcome.outcome === 'refused')
        throw new ProjectProblems(outcome.problems.map(fromSimProblem));
      if (outcome.outcome === 'lost') throw cliErrors.E_CHILD_LOST({ how: outcome.how });
      activate(first);
      return outcome;
    });
    const connecting = gateway.connect({
      dispatch: deliver,
      status(status) {
        if (status.state === 'ready') ready = status.ready;
        current?.send({ type: 'status', status });
      },
    });
    const [{ commands, events }, { displayName }] = await Promise.all([
      loading,
      connecting,
      watcher.ready,
    ]);
    const { page, baseUrl, gatewayUrl, token, userToken } = platform;
    report({
      type: 'ready',
      page,
      baseUrl,
      gatewayUrl,
      token,
      userToken,
      bot: displayName,
      commands,
      events,
      ms: Math.round(clock.monotonic() - startedMs),
    });
    begin();
  }

  try {
    signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    await Promise.race([start(), aborted]);
    return { close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
