import { basename, join, relative } from 'node:path';
import { raceAbort } from '@virgule/core/abort';
import { systemClock, type Clock } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import { STATE_FOLDER } from '@virgule/core/fs';
import { bareAddress, type Log } from '@virgule/core/log';
import type { SimProblem } from '@virgule/core/simulator-api';
import { cliErrors } from '../../cli/cli-errors.js';
import { watchProject } from '../../loader/watch/watch-project.js';
import { toSimProblem } from '../../project/project-problems.js';
import { createBotRunner, type StartedBot } from './bot-runner.js';
import { Changes, QUIET_MS } from './changes.js';
import { isGitWriting } from './git-lock.js';
import type { BotStart, startBotProcess } from './bot-process.js';
import type { DevPlatform } from './dev-platform.js';
import type { DevReport } from '../ui/dev-report.js';
import { createGatewayHost } from './gateway-host.js';
import type { FromChild, ReloadOutcome } from '../ipc.js';
import { saysInUse } from '../in-use.js';
import { createSlowStart, type SlowStart } from './slow-start.js';
import type { SpareProcess } from './spare-process.js';
import { watchTrouble } from './watch-trouble.js';

export interface DevServerOptions {
  /** The project's folder. */
  readonly root: string;
  /** The platform to run on; it is closed with the server. */
  readonly platform: DevPlatform;
  /** Returns the environment of a child, called for each one: `.env` may have changed. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  /** The port on which a debugger can attach to the bot's process. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** Ends the start early; later `close` does. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  /** @defaultValue a process of its own */
  readonly startProcess?: typeof startBotProcess | undefined;
  /** Has a process ready for the next restart; it is ended with the server. @defaultValue none is kept ready */
  readonly spare?: SpareProcess | undefined;
  /** @defaultValue the files on disk; `null` watches nothing */
  readonly watch?: typeof watchProject | null | undefined;
}

export interface DevServer {
  /** What is wrong with the project now. */
  readonly problems: readonly SimProblem[];
  /** Resolves when it cannot continue: a real platform closed the connection for good. */
  readonly failed: Promise<VirguleError>;
  /** Starts a new process, regardless of the files, and stops the old one first. */
  restart(reason: string): void;
  /** Compares the commands with the registered ones, and reports the difference. Only on a real platform. */
  plan(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Runs a bot in development. This process, the server, holds the terminal, the watcher, the platform and the gateway
 * socket; a child holds the code of the bot, and can be replaced without a reconnect. A project with problems is
 * started as well: they are reported, the valid part answers, and a change that fixes them is loaded.
 *
 * @throws VirguleError `E_UNAUTHORIZED` when a real platform refuses the token, and the reason of the signal. Nothing
 *   is left running then.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { root, platform, env, log, inspectPort, signal, clock = systemClock } = options;
  const { startProcess, spare, watch = watchProject } = options;
  const startedMs = clock.monotonic();
  let problems: readonly SimProblem[] = [];
  let closing: Promise<void> | undefined;
  let fail: (error: VirguleError) => void = () => {};
  const failed = new Promise<VirguleError>((resolve) => (fail = resolve));

  function report(what: DevReport): void {
    // What a bot prints while it ends is shown; everything else is ignored from then on.
    if (!closing || what.type === 'output') options.report(what);
  }

  const isGitBusy = (): boolean => isGitWriting(root, clock.now());
  const changes = new Changes(clock, isGitBusy);
  /** Problems that were not reported: other files have changed meanwhile, as in a checkout. */
  let held: readonly SimProblem[] | undefined;

  function showProblems(next: readonly SimProblem[]): void {
    held = next.length > 0 && !changes.isEmpty ? next : undefined;
    if (closing || held || JSON.stringify(next) === JSON.stringify(problems)) return;
    const hadReported = problems.some(({ code }) => code !== 'E_CHILD_LOST');
    problems = next;
    platform.report(next);
    if (next.length > 0)
      report({ type: 'problems', problems: next, answering: runner.isAnswering });
    else if (hadReported) report({ type: 'fixed' });
  }

  /** Of the process that is being loaded. */
  let slowStart: SlowStart | undefined;
  function startRunner(...how: Parameters<typeof runner.start>): Promise<StartedBot> {
    slowStart = createSlowStart(clock, (step) => report({ type: 'loading', ...step }));
    return runner.start(...how);
  }

  const runner = createBotRunner({
    root,
    platform,
    env,
    clock,
    inspectPort,
    startProcess,
    spare,
    onLine: (line, stream, log) => report({ type: 'output', stream, line, ...(log && { log }) }),
    onMessage: receive,
    onStarted: () => slowStart?.end(),
    onDropped: (events) => report({ type: 'dropped', events }),
    onExpired: (commands) => report({ type: 'expired', commands }),
    onAbandoned: (command) =>
      log.warn({ command }, `/${command} was interrupted: its process ended`),
    onLost(how) {
      report({ type: 'lost', how });
      problems = [toSimProblem(cliErrors.E_CHILD_LOST({ how }), root)];
      platform.report(problems);
    },
    onWanted: (reason) => inTurn(() => replace(reason)),
  });

  function receive(message: FromChild): void {
    if (message.type === 'loading') {
      const file = relative(root, message.file);
      if (message.isCreating) slowStart?.creating(file);
      else slowStart?.step(file, message.imports);
    }
    if (message.type === 'plan') report({ type: 'plan', ...message.plan });
    if (message.type === 'folders') watcher?.add(message.folders);
  }

  /** Whether the project is known to need something that only one process can have. */
  let hasExclusive = false;
  /**
   * Starts a new process next to the old one, which is stopped when the new one is loaded without problems. If
   * the new one lacks what only one process can have, such as a port, the old one is stopped first.
   */
  async function replace(reason: string, isFirstStopped = false): Promise<void> {
    if (closing) return;
    const beganMs = clock.monotonic();
    const hasProblems = (start: BotStart): boolean =>
      start.outcome === 'loaded' && start.problems.length > 0;
    let { start, registered } = await startRunner(hasProblems, isFirstStopped || hasExclusive);
    if (closing) return;
    if (runner.isAnswering && registered === null && isInUse(start)) {
      hasExclusive = true;
      ({ start, registered } = await startRunner(undefined, true));
      if (closing) return;
    }
    if (start.outcome === 'lost') {
      if (runner.isAnswering)
        showProblems([toSimProblem(cliErrors.E_CHILD_LOST({ how: start.how }), root)]);
      else runner.lost(start.how);
      return;
    }
    // It was lost right after its start, which was reported.
    if (start.outcome === 'loaded' && !runner.isAnswering) return;
    if (registered)
      report({ type: 'restart', reason, ms: Math.round(clock.monotonic() - beganMs) });
    showProblems(problemsOf(registered) ?? start.problems);
  }

  async function change(files: readonly string[]): Promise<void> {
    const beganMs = clock.monotonic();
    const names = files.map((file) => relative(root, file));
    if (files.some(isOfPackages)) runner.renew();
    // Without a process, the code was invalid or ended it: this change may be the fix.
    if (!runner.isAnswering) return replace(`${names.join(', ')} changed`);
    const file = names.length > 3 ? `${names.length} files` : names.join(', ');
    const slowReload = createSlowStart(clock, (step) => report({ type: 'loading', ...step }));
    slowReload.step(file);
    const result = await runner.reload(files).finally(() => slowReload.end());
    // The process was lost meanwhile; its successor reads the files as they are now.
    if (!result || result.outcome === 'unchanged') return;
    if (result.outcome === 'unsupported') return replace(result.reason);
    if (result.outcome === 'swapped') {
      const { evaluated, commands } = result;
      report({
        type: 'reload',
        files: names,
        evaluated,
        synced: commands !== null,
        ...(commands && { commands }),
        ...(result.problems.length > 0 && { problems: result.problems.length }),
        ms: Math.round(clock.monotonic() - beganMs),
      });
    }
    showProblems(result.problems);
  }

  // Changes and restarts run one after the other, the first of them after the start has ended: none is lost
  // while another is in progress, and no two processes are started for one bot.
  let begin = (): void => {};
  let tail = new Promise<void>((resolve) => {
    begin = resolve;
  });
  function inTurn(task: () => Promise<void>): void {
    tail = tail
      .then(task)
      .catch((error: unknown) => log.error({ err: error }, 'cannot apply a change'));
  }

  const gateway = createGatewayHost({
    token: platform.token,
    gatewayUrl: platform.gatewayUrl,
    clock,
    log,
    checkToken: platform.checkToken,
    stateFile: join(root, STATE_FOLDER, 'gateway.json'),
    whenClosed: platform.live ? fail : 'reopen',
  });
  let takenMs = -Infinity;
  async function takeChanges(): Promise<void> {
    // A save is taken at once. What follows closely may be part of something bigger.
    if (clock.monotonic() - takenMs < QUIET_MS || isGitBusy()) await changes.quiet();
    const files = changes.take();
    if (files.length > 0 && !closing) await change(files);
    takenMs = clock.monotonic();
    if (held && changes.isEmpty) showProblems(held);
  }

  const watcher = watch?.({
    root,
    clock,
    poll: isOn(env()['CHOKIDAR_USEPOLLING']),
    onChange(file) {
      // What is being loaded may never end, and this may be what fixes it.
      const how = `given up, since ${relative(root, file)} changed`;
      slowStart?.changed(() => runner.giveUpStart(how));
      if (changes.isEmpty) inTurn(takeChanges);
      changes.add(file);
    },
    onError: (error) => report({ type: 'notice', text: watchTrouble(error) }),
  });

  async function shutDown(): Promise<void> {
    slowStart?.end();
    watcher?.close();
    await gateway.close();
    await runner.stop();
    await platform.close();
  }
  const close = (): Promise<void> => (closing ??= shutDown());

  async function start(): Promise<void> {
    const loading = startRunner();
    const connecting = gateway.connect({
      dispatch: (event) => runner.deliver(event),
      status: (status) => runner.status(status),
    });
    const [{ start: first, registered }, { displayName }] = await Promise.all([
      loading,
      connecting,
    ]);
    const { commands, events } = first.outcome === 'loaded' ? first : { commands: 0, events: 0 };
    const { live, page, baseUrl, gatewayUrl, token, userToken } = platform;
    report({
      type: 'ready',
      live,
      ...(page !== undefined && { page }),
      baseUrl: bareAddress(baseUrl),
      gatewayUrl: bareAddress(gatewayUrl),
      ...(!live && { token, userToken }),
      bot: displayName,
      commands,
      events,
      ms: Math.round(clock.monotonic() - startedMs),
    });
    if (first.outcome === 'lost') runner.lost(first.how);
    else showProblems(problemsOf(registered) ?? first.problems);
    begin();
  }

  try {
    signal?.throwIfAborted();
    await (signal ? raceAbort(start(), signal) : start());
    return {
      get problems() {
        return problems;
      },
      failed,
      restart(reason) {
        // A manual restart may reflect changes that cannot be detected.
        runner.renew();
        inTurn(() => replace(reason, true));
      },
      plan: () => runner.plan(),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns whether a process could not start because another one has what it needs. */
const isInUse = (start: BotStart): boolean =>
  (start.outcome === 'lost' && start.isInUse === true) ||
  (start.outcome === 'refused' &&
    start.problems.some(({ code, message }) => code === 'E_SERVICES_FAILED' && saysInUse(message)));

/** Returns the problems after a change was taken; `undefined` when it was not. */
const problemsOf = (result: ReloadOutcome | null): readonly SimProblem[] | undefined =>
  result && 'problems' in result ? result.problems : undefined;

/** What a package manager writes when it installs something. */
const PACKAGE_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];
const isOfPackages = (file: string): boolean => PACKAGE_FILES.includes(basename(file));

const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
