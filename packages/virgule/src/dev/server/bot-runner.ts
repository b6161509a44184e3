import { relative } from 'node:path';
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Ready } from '@virgule/core/protocol';
import type { SimBotAnswer, SimBotQuestion, SimClockState } from '@virgule/core/simulator-api';
import { startBotProcess, type BotProcess, type BotStart } from './bot-process.js';
import type { DevPlatform } from './dev-platform.js';
import type { ChildEnv } from './fork-child.js';
import { createPendingEvents, type PendingEvent } from './pending-events.js';
import { moreTimeFor } from './requests.js';
import { SlowLoading } from './slow-loading.js';
import type { FromChild, ReloadOutcome } from '../ipc.js';
import type { DevReport } from '../ui/dev-report.js';

export interface BotRunnerOptions {
  /** The project's folder. */
  readonly root: string;
  /** The platform to run on. */
  readonly platform: DevPlatform;
  /** Returns the environment of a child, called for each one: `.env` may have changed. */
  readonly env: () => ChildEnv;
  readonly report: (report: DevReport) => void;
  readonly log: Log;
  readonly clock: Clock;
  /** The port on which a debugger can attach to the bot's process. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** @defaultValue a process of its own */
  readonly startProcess?: typeof startBotProcess | undefined;
  /** The code consists of files in these folders. */
  readonly onFolders: (folders: readonly string[]) => void;
  /** The process that answers is gone, or the one that should have come is. */
  readonly onLost: (how: string) => void;
  /** A new process is due, if `isStillWanted` when its turn comes. */
  readonly onWanted: (reason: string, isStillWanted?: () => boolean) => void;
}

export interface StartedBot {
  readonly start: BotStart;
  readonly registered: ReloadOutcome | null;
}

/** A process that was lost is started again after this many milliseconds, doubled each time up to the longest. */
const RESTART_MS = { first: 250, max: 10_000 };
/** What the user of an interrupted command reads. */
const ABANDONED = 'The bot was restarted while this command ran. Please try again.';
/** A process that ran this long was healthy: the next loss starts from the first delay. */
const STABLE_MS = 30_000;

/** Holds the process that answers, and brings every event to one that can take it. */
export class BotRunner {
  readonly #options: BotRunnerOptions;
  readonly #pending: ReturnType<typeof createPendingEvents>;
  /** Every process that has not ended: the current one, its successor, and those that still drain. */
  readonly #living = new Set<BotProcess>();
  /** Processes that ended, and whose events no other process has yet. */
  readonly #ended = new Set<BotProcess>();
  #current: BotProcess | null = null;
  #starting: BotProcess | null = null;
  /** Of the process that is being started, or of the change that is being taken over. */
  #loading: SlowLoading | undefined;
  #ready: Ready | null = null;
  /** The clock of the world, if it was ever changed. */
  #clock: SimClockState | undefined;
  #restart: Timer | undefined;
  #restartDelayMs = RESTART_MS.first;
  #isStopping = false;

  constructor(options: BotRunnerOptions) {
    const { clock, platform, report, log } = options;
    this.#options = options;
    this.#pending = createPendingEvents({
      clock,
      platform,
      onDeferred: (interactionId) => {
        for (const child of this.#living) child.send({ type: 'deferred', interactionId });
      },
      // The next process may hang as well: a command is answered from here.
      onAbandoned: (interactionId, command) =>
        void platform.respond(interactionId, ABANDONED).then(
          () => log.warn({ command }, `/${command} was interrupted: its process ended`),
          // The process that began it has answered it after all, or it has expired.
          () => {},
        ),
      onExpired: (commands) => report({ type: 'expired', commands }),
    });
    platform.on?.((event) => {
      if (event.type !== 'clock') return;
      this.#clock = event.clock;
      for (const child of this.#living) child.send(event);
    });
  }

  /** Whether a process answers now. */
  get isAnswering(): boolean {
    return this.#current !== null;
  }

  /**
   * Starts a process, which answers from when it is loaded.
   *
   * @param unless - stops it again if this returns `true`.
   * @param isFirstStopped - whether to stop the one that answers first, for what only one process can have. Events wait
   *   meanwhile.
   */
  async start(
    unless: (start: BotStart) => boolean = () => false,
    isFirstStopped = false,
  ): Promise<StartedBot> {
    const { inspectPort } = this.#options;
    this.#restart?.cancel();
    // Two processes cannot listen for a debugger on one port.
    if ((isFirstStopped || inspectPort !== undefined) && this.#current) {
      const old = this.#current;
      this.#current = null;
      await old.stop();
    }
    this.#loading = this.#slowLoading();
    const next = this.#spawn();
    this.#starting = next;
    const start = await next.started;
    this.#starting = null;
    this.#loading.end();
    // By then every running process was asked to stop.
    if (start.type !== 'loaded' || this.#isStopping) return { start, registered: null };
    if (this.#current && unless(start)) {
      void next.stop();
      return { start, registered: null };
    }
    const old = this.#current;
    this.#activate(next);
    // Not waited for: its handlers may take their time, and the next change need not.
    void old?.stop();
    return { start, registered: await next.register() };
  }

  /**
   * Notes that a file has changed: if a start is stuck in one file, or will be, its process is ended; if a reload is, a new
   * process is started.
   */
  changed(file: string): void {
    const how = `given up, since ${relative(this.#options.root, file)} changed`;
    this.#loading?.changed(() => {
      if (this.#starting) this.#starting.giveUp(how);
      else this.#current?.giveUpReload();
    });
  }

  deliver(event: GatewayEvent): void {
    this.#deliver(this.#pending.add(event));
  }

  status(status: GatewayStatus): void {
    if (status.state === 'ready') this.#ready = status.ready;
    this.#current?.send({ type: 'status', status });
  }

  /** Takes changed files over; `null` when the process ended meanwhile, or there is none. */
  async reload(files: readonly string[]): Promise<ReloadOutcome | null> {
    if (!this.#current) return null;
    const names = files.map((file) => relative(this.#options.root, file));
    const loading = (this.#loading = this.#slowLoading(moreTimeFor(files)));
    loading.step(names.length > 3 ? `${names.length} files` : names.join(', '));
    return this.#current.reload(files).finally(() => loading.end());
  }

  /** Asks for the plan of a deploy. */
  plan(): void {
    this.#current?.send({ type: 'plan' });
  }

  /** Asks the process that answers now; `undefined` if there is none, or it does not answer. */
  async ask(question: SimBotQuestion): Promise<SimBotAnswer | undefined> {
    return (await this.#current?.ask(question)) ?? undefined;
  }

  /** Asks for a new process after a while, longer each time, unless one comes by then. */
  lost(how: string): void {
    const { clock, onLost, onWanted } = this.#options;
    if (this.#isStopping) return;
    onLost(how);
    this.#restart?.cancel();
    this.#restart = clock.setTimeout(
      // By its turn, a change may have started one.
      () => onWanted(`the process ended: ${how}`, () => !this.isAnswering),
      this.#restartDelayMs,
    );
    this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, RESTART_MS.max);
  }

  /** Ends every process. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#loading?.end();
    this.#restart?.cancel();
    this.#pending.close();
    await Promise.all([...this.#living].map((child) => child.stop()));
  }

  #slowLoading(moreMs?: number): SlowLoading {
    const { clock, report } = this.#options;
    return new SlowLoading(clock, (step) => report({ type: 'loading', ...step }), moreMs);
  }

  /**
   * Returns the environment of a bot. On a simulator it gets that one's token: it has no use for the real
   * one.
   */
  #envOfBot(): ChildEnv {
    const { env, platform } = this.#options;
    const given = env();
    return platform.live || !given['BOT_TOKEN'] ? given : { ...given, BOT_TOKEN: platform.token };
  }

  #spawn(): BotProcess {
    const { root, platform, clock, inspectPort, report, onWanted } = this.#options;
    const { startProcess = startBotProcess } = this.#options;
    const spawnedMs = clock.monotonic();
    const child = startProcess({
      root,
      platform,
      inspectPort,
      env: this.#envOfBot(),
      clock,
      onLine(line, stream, log) {
        if (log) platform.logged?.(line);
        report({ type: 'output', stream, line, ...(log && { log }) });
      },
      onMessage: (message) => this.#receive(message),
      onQuiet: (isQuiet) => this.#pending.quieten(child, isQuiet),
      hasUnanswered: () => this.#pending.hasUnanswered(child),
      suspect: () =>
        child === this.#starting ? this.#loading?.what : this.#pending.suspectOf(child),
      onHeavy: (reason) => child === this.#current && onWanted(reason),
      onLost: (how) => {
        if (child !== this.#current) return;
        this.#current = null;
        if (clock.monotonic() - spawnedMs > STABLE_MS) this.#restartDelayMs = RESTART_MS.first;
        this.lost(how);
      },
    });
    this.#living.add(child);
    if (this.#clock) child.send({ type: 'clock', clock: this.#clock });
    void child.ended.then(() => {
      this.#living.delete(child);
      this.#ended.add(child);
      if (this.#current) this.#handOver();
      else this.#pending.quieten(child, true);
    });
    return child;
  }

  #receive(message: FromChild): void {
    const { root, report, onFolders } = this.#options;
    if (message.type === 'took') this.#pending.took(message.number, message.what);
    else if (message.type === 'progress')
      this.#pending.progressed(message.interactionId, message.progress);
    else if (message.type === 'plan') report({ type: 'plan', ...message.plan });
    else if (message.type === 'folders') onFolders(message.folders);
    else if (message.type === 'loading')
      this.#loading?.step(relative(root, message.file), message.imports, message.isCreating);
  }

  #deliver(event: PendingEvent): void {
    const child = this.#current;
    if (!child) return this.#pending.wait(event);
    const { number, deferred } = this.#pending.hand(event, child);
    if (deferred !== undefined) child.send({ type: 'deferred', interactionId: deferred });
    // It ended a moment ago, which `onLost` reports soon, or already has.
    child.send({ type: 'event', number, event: event.event }, () => {
      if (!this.#pending.undelivered(number)) return;
      if (child === this.#current) this.#pending.wait(event);
      else this.#deliver(event);
    });
  }

  /** Hands over what processes that ended had begun, or not even that. */
  #handOver(): void {
    for (const process of this.#ended) {
      this.#ended.delete(process);
      for (const event of this.#pending.leftBy(process, process.wasHung)) this.#deliver(event);
    }
  }

  /** Hands the events over to a process that is loaded. */
  #activate(child: BotProcess): void {
    this.#current = child;
    const ready = this.#ready;
    if (ready)
      child.send({ type: 'status', status: { state: 'ready', ready, reconnected: false } });
    this.#handOver();
    const { events, dropped } = this.#pending.waiting();
    for (const event of events) this.#deliver(event);
    if (dropped > 0) this.#options.report({ type: 'dropped', events: dropped });
  }
}
