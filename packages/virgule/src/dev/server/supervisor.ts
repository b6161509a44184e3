import { relative } from 'node:path';
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { SimBotAnswer, SimBotQuestion, SimClockState } from '@virgule/core/simulator-api';
import type { FromChild, ReloadOutcome } from '../ipc.js';
import { reloadReport, type DevReport } from '../ui/dev-report.js';
import {
  ForkedChild,
  moreTimeFor,
  type Child,
  type ChildOptions,
  type ChildStart,
} from './child.js';
import type { DevPlatform } from './dev-platform.js';
import type { Env } from '@virgule/runtime/process';
import { Frames } from './frames.js';
import { isInUse, Problems } from './problems.js';
import { SlowLoading } from './slow-loading.js';

export interface SupervisorOptions {
  /** The project's folder. */
  readonly root: string;
  /** The platform to run on. */
  readonly platform: DevPlatform;
  /** Returns the environment of a child, called for each one: `.env` may have changed. */
  readonly env: () => Env;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  readonly clock: Clock;
  /** The port on which a debugger can attach to the bot's process. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** @defaultValue a process of its own */
  readonly startChild?: ((options: ChildOptions) => Child) | undefined;
  /** The code consists of files in these folders. */
  readonly onFolders: (folders: readonly string[]) => void;
  /** A new child is due, if `isStillWanted` when its turn comes. */
  readonly onWanted: (reason: string, isStillWanted?: () => boolean) => void;
  /** Whether more files have changed and are about to be loaded. */
  readonly hasChanges: () => boolean;
  /** Whether dev ends: no child is started any more, and nothing reported. */
  readonly isClosing: () => boolean;
}

export interface StartedChild {
  readonly start: ChildStart;
  /** The result of its registration; `null` if it does not answer. */
  readonly registered: ReloadOutcome | null;
}

/** Delay before a lost child is started again, in milliseconds; doubled each time, until one has run for `stable`. */
const RESTART_MS = { first: 250, max: 10_000, stable: 30_000 };

/**
 * Starts, replaces and stops the child, which has the files as they are now. `start`, `change` and `replace` are called
 * one after the other.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #frames: Frames;
  readonly problems: Problems;
  /** Every child that has not ended: the current one, its successor, and those that still drain. */
  readonly #living = new Set<Child>();
  #current: Child | null = null;
  #starting: Child | null = null;
  /** Of the child that is being started, or of the change that is being taken over. */
  #loading: SlowLoading | undefined;
  /** For each new child: the connection of the server is up. */
  #ready: GatewayStatus | undefined;
  /** The clock of the world, if it was ever changed. */
  #clock: SimClockState | undefined;
  #restart: Timer | undefined;
  #restartDelayMs = RESTART_MS.first;
  /** Whether the project is known to need something that only one process can have. */
  #hasExclusive = false;
  /** Why a new child is needed that could not take over yet. */
  #refused: string | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#frames = new Frames(options);
    this.problems = new Problems({ ...options, isAnswering: () => this.isAnswering });
    options.platform.on?.((event) => {
      if (event.type !== 'clock') return;
      this.#clock = event.clock;
      for (const child of this.#living) child.send(event);
    });
  }

  /** Whether a child answers now. */
  get isAnswering(): boolean {
    return this.#current !== null;
  }

  /** Starts the first child, which answers from when it is loaded. */
  start(): Promise<StartedChild> {
    return this.#start(() => false, false);
  }

  /**
   * Shows the outcome of a start, or has another child started.
   *
   * @param reason - why it was started, if it is not the first one.
   */
  started({ start, registered }: StartedChild, reason?: string): void {
    if (start.type === 'lost') this.#lost(start.how);
    else if (registered === null) this.problems.show(start.problems, { refused: reason });
    else {
      this.#refused = undefined;
      this.problems.known = 'problems' in registered ? registered.problems : start.problems;
      this.problems.show(this.problems.known, { isFresh: true });
    }
  }

  /**
   * Starts a new child next to the old one, which is stopped when the new one is loaded without new problems. If
   * the new one lacks what only one process can have, such as a port, the old one is stopped first.
   */
  async replace(reason: string, isFirstStopped = false): Promise<void> {
    const { clock, report, isClosing } = this.#options;
    if (isClosing()) return;
    this.#refused = reason;
    const beganMs = clock.monotonic();
    const hasProblems = (start: ChildStart): boolean =>
      start.type === 'loaded' && this.problems.newIn(start.problems).length > 0;
    let { start, registered } = await this.#start(
      hasProblems,
      isFirstStopped || this.#hasExclusive,
    );
    if (isClosing()) return;
    if (this.isAnswering && registered === null && isInUse(start)) {
      this.#hasExclusive = true;
      ({ start, registered } = await this.#start(() => false, true));
      if (isClosing()) return;
    }
    if (start.type === 'lost' && this.isAnswering)
      return this.problems.show([this.problems.ofLost(start.how)], { refused: reason });
    // It was lost right after its start, which was reported.
    if (start.type === 'loaded' && !this.isAnswering) return;
    const ms = Math.round(clock.monotonic() - beganMs);
    if (registered) report({ type: 'restart', reason, ms });
    this.started({ start, registered }, reason);
  }

  /** Loads changed files into the child that answers, or starts a new one if it cannot take them. */
  async change(files: readonly string[]): Promise<void> {
    const { root, clock, report } = this.#options;
    const beganMs = clock.monotonic();
    const names = files.map((file) => relative(root, file));
    // Without a child, the code was invalid or ended it: this change may be the fix.
    if (!this.#current) return this.replace(`${names.join(', ')} changed`);
    const loading = (this.#loading = this.#slowLoading(moreTimeFor(files)));
    loading.step(names.length > 3 ? `${names.length} files` : names.join(', '));
    const result = await this.#current.reload(files).finally(() => loading.end());
    // The child was lost meanwhile; its successor reads the files as they are now.
    if (!result) return;
    if ('problems' in result) this.problems.known = result.problems;
    if (result.outcome === 'swapped')
      report(reloadReport(names, result, clock.monotonic() - beganMs));
    const reason = result.restart ?? this.#refused;
    if (reason !== undefined) return this.replace(reason);
    if ('problems' in result) this.problems.show(result.problems);
  }

  /**
   * Notes that a file has changed: if a start is stuck in one file, or will be, its child is ended; if a reload is, a new
   * child is started.
   */
  changed(file: string): void {
    const how = `given up, since ${relative(this.#options.root, file)} changed`;
    this.#loading?.changed(() => {
      if (this.#starting) this.#starting.giveUp(how);
      else this.#current?.giveUpReload();
    });
  }

  deliver(event: GatewayEvent): void {
    this.#frames.deliver(event);
  }

  status(status: GatewayStatus): void {
    if (status.state === 'ready') this.#ready = { ...status, reconnected: false };
    this.#current?.send({ type: 'status', status });
  }

  /** Asks for the plan of a deploy. */
  readonly plan = (): void => this.#current?.send({ type: 'plan' });

  /** Asks the child that answers now; `undefined` if there is none, or it does not answer. */
  async ask(question: SimBotQuestion): Promise<SimBotAnswer | undefined> {
    return (await this.#current?.ask(question)) ?? undefined;
  }

  /** Ends every child. */
  async stop(): Promise<void> {
    this.#loading?.end();
    this.#restart?.cancel();
    this.#frames.close();
    await Promise.all([...this.#living].map((child) => child.stop()));
  }

  /** Starts a child, and stops it again if `unless` returns `true`. Events wait if the one that answers is stopped first. */
  async #start(
    unless: (start: ChildStart) => boolean,
    isFirstStopped: boolean,
  ): Promise<StartedChild> {
    const { inspectPort, isClosing } = this.#options;
    this.#restart?.cancel();
    // Two processes cannot listen for a debugger on one port.
    if ((isFirstStopped || inspectPort !== undefined) && this.#current)
      await this.#use(null)?.stop();
    this.#loading = this.#slowLoading();
    const next = this.#spawn();
    this.#starting = next;
    const start = await next.started;
    this.#starting = null;
    this.#loading.end();
    // When dev ends, every child is asked to stop.
    if (start.type !== 'loaded' || isClosing()) return { start, registered: null };
    if (this.#current && unless(start)) {
      void next.stop();
      return { start, registered: null };
    }
    // Not waited for: its handlers may take their time, and the next change need not.
    void this.#use(next)?.stop();
    return { start, registered: await next.register() };
  }

  /** Lets a child answer from now on, and returns the one that did so far. */
  #use(child: Child | null): Child | null {
    const old = this.#current;
    this.#current = child;
    if (this.#ready) child?.send({ type: 'status', status: this.#ready });
    this.#frames.handTo(child);
    return old;
  }

  #spawn(): Child {
    const { clock, env, platform, report, onWanted } = this.#options;
    const { startChild = (forked) => new ForkedChild(forked) } = this.#options;
    const spawnedMs = clock.monotonic();
    const child: Child = startChild({
      ...this.#options,
      env: env(),
      onLine(line, stream, log) {
        if (log) platform.logged?.(line);
        report({ type: 'output', stream, line, ...(log && { log }) });
      },
      onMessage: (message) => this.#receive(child, message),
      onSilent: () => this.#frames.silent(child),
      isAwaited: () => this.#frames.isAwaiting(child),
      loading: () => (child === this.#starting ? this.#loading?.what : undefined),
      onHeavy: (reason) => child === this.#current && onWanted(reason),
      onLost: (how) => {
        if (child !== this.#current) return;
        this.#use(null);
        if (clock.monotonic() - spawnedMs > RESTART_MS.stable)
          this.#restartDelayMs = RESTART_MS.first;
        this.#lost(how);
      },
    });
    this.#living.add(child);
    if (this.#clock) child.send({ type: 'clock', clock: this.#clock });
    void child.ended.then(() => {
      this.#living.delete(child);
      if (!this.#options.isClosing()) this.#frames.died(child);
    });
    return child;
  }

  #receive(child: Child, message: FromChild): void {
    const { root, report, onFolders } = this.#options;
    if (message.type === 'handling') this.#frames.began(child, message.number);
    else if (message.type === 'plan') report({ type: 'plan', ...message.plan });
    else if (message.type === 'folders') onFolders(message.folders);
    else if (message.type === 'loading')
      this.#loading?.step(relative(root, message.file), message.imports, message.isCreating);
  }

  /** Reports a loss, and asks for a new child after a while, longer each time, unless one comes by then. */
  #lost(how: string): void {
    const { clock, onWanted, isClosing } = this.#options;
    if (isClosing()) return;
    this.problems.showLost(how);
    this.#restart?.cancel();
    this.#restart = clock.setTimeout(
      // By its turn, a change may have started one.
      () => onWanted(`the process ended: ${how}`, () => !this.isAnswering),
      this.#restartDelayMs,
    );
    this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, RESTART_MS.max);
  }

  #slowLoading(moreMs?: number): SlowLoading {
    const { clock, report } = this.#options;
    return new SlowLoading(clock, (step) => report({ type: 'loading', ...step }), moreMs);
  }
}
