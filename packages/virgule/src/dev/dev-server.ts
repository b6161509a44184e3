import { relative } from 'node:path';
import { createGateway, type GatewayPort } from '@virgule/client/gateway';
import { systemClock, type Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Ready } from '@virgule/core/protocol';
import type { SimProblem } from '@virgule/core/simulator-api';
import type { Simulator } from '@virgule/simulator';
import { cliErrors } from '../cli/cli-errors.js';
import { watchProject } from '../loader/watch.js';
import { fromSimProblem, ProjectProblems } from '../project/project-problems.js';
import { startBotProcess, type BotProcess } from './bot-process.js';
import type { DevReport } from './dev-report.js';
import { createEventBuffer } from './event-buffer.js';

export interface DevServerOptions {
  /** The project's folder. */
  readonly root: string;
  /** The platform to run on; it is closed with the server. */
  readonly platform: Simulator;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  readonly clock?: Clock | undefined;
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
 * @throws ProjectProblems when the project's files have problems at the start; nothing is left running then.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, platform, env, report, log, clock = systemClock } = options;
  const startedMs = clock.monotonic();
  const buffer = createEventBuffer(clock);
  let current: BotProcess | null = null;
  let ready: Ready | null = null;
  let problems: readonly SimProblem[] = [];
  let restartDelayMs = RESTART_MS.first;
  let closed = false;

  function tell(next: readonly SimProblem[]): void {
    if (next.length === 0 && problems.length === 0) return;
    problems = next;
    platform.report(next);
    if (next.length > 0) report({ type: 'problems', problems: next });
  }

  function spawn(): BotProcess {
    const spawnedMs = clock.monotonic();
    const child = startBotProcess({
      root,
      token: platform.token,
      baseUrl: platform.baseUrl,
      env,
      clock,
      onLine: (line, stream) => report({ type: 'output', stream, line }),
      onLost: (how) => {
        if (child !== current) return;
        current = null;
        report({ type: 'lost', how });
        if (clock.monotonic() - spawnedMs > SOUND_MS) restartDelayMs = RESTART_MS.first;
        const delayMs = restartDelayMs;
        restartDelayMs = Math.min(restartDelayMs * 2, RESTART_MS.longest);
        clock.setTimeout(() => {
          // A change may have brought it back already.
          inTurn(async () => (current ? undefined : replace(`the process ended: ${how}`)));
        }, delayMs);
      },
    });
    return child;
  }

  /** Hands the events over to a process that is loaded. */
  function activate(child: BotProcess): void {
    current = child;
    if (ready) child.send({ type: 'ready', ready });
    const { events, dropped } = buffer.take();
    for (const event of events) child.send({ type: 'event', event });
    if (dropped > 0) report({ type: 'dropped', events: dropped });
  }

  /** Starts a new process beside the old one, and changes over once it is loaded. */
  async function replace(reason: string): Promise<void> {
    if (closed) return;
    const beganMs = clock.monotonic();
    const next = spawn();
    const start = await next.started;
    if (start.outcome === 'loaded') {
      const old = current;
      activate(next);
      tell([]);
      report({ type: 'restart', reason, ms: Math.round(clock.monotonic() - beganMs) });
      await old?.stop();
    } else if (start.outcome === 'refused') {
      tell(start.problems);
    } else {
      report({ type: 'lost', how: start.how });
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

  // Changes and restarts are taken one after the other; none is lost while another is under way.
  let tail: Promise<void> = Promise.resolve();
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
  const watcher = watchProject({ root, clock, onChange: (paths) => inTurn(() => change(paths)) });

  async function close(): Promise<void> {
    closed = true;
    await watcher.close();
    await gateway.close();
    await current?.stop();
    await platform.close();
  }

  try {
    const first = spawn();
    const connected = gateway.connect({
      dispatch(event) {
        if (current) current.send({ type: 'event', event });
        else buffer.add(event);
      },
      status: (status) => current?.send({ type: 'status', status }),
    });
    const [start, identity] = await Promise.all([first.started, connected]);
    if (start.outcome === 'refused') throw new ProjectProblems(start.problems.map(fromSimProblem));
    if (start.outcome === 'lost') throw cliErrors.E_CHILD_LOST({ how: start.how });
    ready = identity;
    activate(first);
    const { page, baseUrl, gatewayUrl, token, userToken } = platform;
    report({
      type: 'ready',
      page,
      baseUrl,
      gatewayUrl,
      token,
      userToken,
      bot: identity.displayName,
      commands: start.commands,
      events: start.events,
      ms: Math.round(clock.monotonic() - startedMs),
    });
    return { close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
