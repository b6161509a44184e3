import { relative } from 'node:path';
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { SimBotAnswer, SimBotQuestion, SimClockState } from '@virgule/core/simulator-api';
import type { FromChild, ReloadOutcome } from '../ipc.js';
import type { DevReport } from '../ui/dev-report.js';
import {
  ForkedChild,
  moreTimeFor,
  type Child,
  type ChildOptions,
  type ChildStart,
} from './child.js';
import type { DevPlatform } from './dev-platform.js';
import type { Env } from '@virgule/runtime/project';
import { Frames } from './frames.js';
import { isInUse, newProblems, Problems } from './problems.js';
import { createSlowLoading, type SlowLoading } from './slow-loading.js';

export interface SupervisorOptions {
  /** Folder of the project. */
  readonly root: string;
  /** Platform to run on. */
  readonly platform: DevPlatform;
  /** Returns the environment of a child, called for each child: `.env` may have changed. */
  readonly env: () => Env;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  readonly clock: Clock;
  /** Port on which a debugger can attach to the bot's process. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** @defaultValue starts a process */
  readonly startChild?: ((options: ChildOptions) => Child) | undefined;
  /** Receives the folders that contain the code. */
  readonly onFolders: (folders: readonly string[]) => void;
  /** Requests a new child, unless a child answers when its turn comes. */
  readonly onWanted: (reason: string) => void;
  /** Returns whether more files have changed and are about to be loaded. */
  readonly hasChanges: () => boolean;
  /** Returns whether dev is ending: no child is started any more, and no problem is reported. */
  readonly isClosing: () => boolean;
}

export interface StartedChild {
  readonly start: ChildStart;
  /** Result of the registration; `null` if the child does not answer. */
  readonly registered: ReloadOutcome | null;
}

/** Delay in milliseconds before a lost child is started again; doubles until a child has run for `stable`. */
const RESTART_MS = { first: 250, max: 10_000, stable: 30_000 };

/** Starts, replaces and stops the child. `start`, `change` and `replace` are called one after the other. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #frames: Frames;
  readonly problems: Problems;
  /** All children that have not ended: the current one, its successor, and draining ones. */
  readonly #living = new Set<Child>();
  #current: Child | null = null;
  #starting: Child | null = null;
  /** Progress of the starting child, or of the current reload. */
  #loading: SlowLoading | undefined;
  /** Status of the server's open connection, sent to each new child. */
  #ready: GatewayStatus | undefined;
  /** State of the world's clock, if it was ever changed. */
  #clock: SimClockState | undefined;
  #restart: Timer | undefined;
  #restartDelayMs = RESTART_MS.first;
  /** True if the project is known to need a resource that only one process can hold. */
  #hasExclusive = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#frames = new Frames(options);
    this.problems = new Problems({ ...options, known: () => this.#current?.problems });
    options.platform.on?.((event) => {
      if (event.type !== 'clock') return;
      this.#clock = event.clock;
      for (const child of this.#living) child.send(event);
    });
  }

  /** True while a child answers. */
  get isAnswering(): boolean {
    return this.#current !== null;
  }

  /** Starts a child, and stops it again if it has new problems. Events are queued while no child answers. */
  async start(isFirstStopped = false): Promise<StartedChild> {
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
    // During the end of dev, `stop` stops every child.
    if (start.type !== 'loaded' || isClosing()) return { start, registered: null };
    if (this.#current && newProblems(start.problems, this.#current.problems).length > 0) {
      void next.stop();
      return { start, registered: null };
    }
    // Not awaited: its handlers may run for a while, and must not delay the next change.
    void this.#use(next)?.stop();
    return { start, registered: await next.reload([]) };
  }

  /** Shows the outcome of a start, or requests another child. @param reason - absent for the first child. */
  started({ start, registered }: StartedChild, reason?: string): void {
    if (start.type === 'lost') this.#lost(start.how);
    else if (registered === null) this.problems.show(start.problems, { refused: reason });
    else this.problems.show(registered.problems, { isFresh: true });
  }

  /**
   * Starts a new child, and stops the old one once the new one is loaded without new problems; before, if both need a
   * resource that only one process can hold, such as a port.
   */
  async replace(reason: string, isFirstStopped = false): Promise<void> {
    const { clock, report, isClosing } = this.#options;
    if (isClosing()) return;
    const beganMs = clock.monotonic();
    let { start, registered } = await this.start(isFirstStopped || this.#hasExclusive);
    if (this.isAnswering && registered === null && isInUse(start) && !isClosing()) {
      this.#hasExclusive = true;
      ({ start, registered } = await this.start(true));
    }
    if (start.type === 'lost' && this.isAnswering)
      return this.problems.show([this.problems.ofLost(start.how)], { refused: reason });
    // The child was lost right after its start, which was reported.
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
    // Without a child, the code was invalid or ended its process: this change may be the fix.
    if (!this.#current) return this.replace(`${names.join(', ')} changed`);
    const loading = (this.#loading = this.#slowLoading(moreTimeFor(files)));
    loading.step(names.length > 3 ? `${names.length} files` : names.join(', '));
    const child = this.#current;
    const { problems: before } = child;
    const result = await child.reload(files).finally(() => loading.end());
    // The child was lost during the reload; its successor reads the current files.
    if (!result) return;
    const { isNew, evaluated, commands, problems } = result;
    const isFixed = problems.length === 0 && (evaluated > 0 || before.length > 0);
    if (isNew || commands || isFixed)
      report({
        type: 'reload',
        files: names,
        evaluated,
        synced: commands !== null,
        ...(commands && { commands }),
        ...(problems.length > 0 && { problems: problems.length }),
        ms: Math.round(clock.monotonic() - beganMs),
      });
    if (result.restart !== undefined) return this.replace(result.restart);
    this.problems.show(problems);
  }

  /** Records that a file has changed: a stuck start is ended, and a stuck reload leads to a new child. */
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

  /** Requests the plan of a deploy. */
  readonly plan = (): void => void this.#current?.reload([]);

  /** Asks the answering child; `undefined` if there is none, or it does not answer. */
  async ask(question: SimBotQuestion): Promise<SimBotAnswer | undefined> {
    return (await this.#current?.ask(question)) ?? undefined;
  }

  /** Stops every child. */
  async stop(): Promise<void> {
    this.#restart?.cancel();
    this.#frames.close();
    await Promise.all([...this.#living].map((child) => child.stop()));
  }

  /** Sends events to a child from now on, and returns the previous child. */
  #use(child: Child | null): Child | null {
    const old = this.#current;
    this.#current = child;
    if (this.#ready) child?.send({ type: 'status', status: this.#ready });
    this.#frames.handTo(child);
    return old;
  }

  #spawn(): Child {
    const { clock, env, platform, report } = this.#options;
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
    else if (message.type === 'code') {
      this.#frames.answers = message;
      onFolders(message.folders);
    } else if (message.type === 'loading')
      this.#loading?.step(relative(root, message.file), message.imports, message.isCreating);
  }

  /** Reports a loss, and requests a new child after an increasing delay, unless another child answers by then. */
  #lost(how: string): void {
    const { clock, onWanted, isClosing } = this.#options;
    if (isClosing()) return;
    this.problems.showLost(how);
    this.#frames.lost = how;
    this.#restart?.cancel();
    const restart = (): void => onWanted(`the process ended: ${how}`);
    this.#restart = clock.setTimeout(restart, this.#restartDelayMs);
    this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, RESTART_MS.max);
  }

  #slowLoading(moreMs?: number): SlowLoading {
    const { clock, report } = this.#options;
    return createSlowLoading(clock, (step) => report({ type: 'loading', ...step }), moreMs);
  }
}
