import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Ready } from '@virgule/core/protocol';
import {
  startBotProcess,
  type BotProcess,
  type BotProcessOptions,
  type BotStart,
} from './bot-process.js';
import type { DevPlatform } from './dev-platform.js';
import type { ChildEnv } from './fork-child.js';
import { createPendingEvents, type PendingEvent } from './pending-events.js';
import type { SpareProcess } from './spare-process.js';
import type { FromChild, ReloadOutcome } from '../ipc.js';

export interface BotRunnerOptions {
  readonly root: string;
  readonly platform: DevPlatform;
  /** Returns the environment of a child, called for each one: `.env` may have changed. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly inspectPort?: number | undefined;
  readonly startProcess?: typeof startBotProcess | undefined;
  /** Has a process ready for the next start. @defaultValue none is kept ready */
  readonly spare?: SpareProcess | undefined;
  readonly onLine: BotProcessOptions['onLine'];
  /** What a process says that concerns no event. */
  readonly onMessage: (message: FromChild) => void;
  /** The process that was started is loaded, or never will be. */
  readonly onStarted: () => void;
  readonly onDropped: (events: number) => void;
  /** It was too late for these commands when their process was found to be gone. */
  readonly onExpired: (commands: readonly string[]) => void;
  /** The user of a command was notified that its process ended. */
  readonly onAbandoned: (command: string) => void;
  /** The process that answers is gone, or the one that should have come is. */
  readonly onLost: (how: string) => void;
  /** A new process is due. */
  readonly onWanted: (reason: string) => void;
}

export interface StartedBot {
  readonly start: BotStart;
  readonly registered: ReloadOutcome | null;
}

/** Holds the process that answers, and brings every event to one that can take it. */
export interface BotRunner {
  /** Whether a process answers now. */
  readonly isAnswering: boolean;
  /**
   * Starts a process, which answers from when it is loaded.
   *
   * @param unless - stops it again if this returns `true`.
   * @param isFirstStopped - whether to stop the one that answers first, for what only one process can have. Events wait
   *   meanwhile.
   */
  start(unless?: (start: BotStart) => boolean, isFirstStopped?: boolean): Promise<StartedBot>;
  deliver(event: GatewayEvent): void;
  status(status: GatewayStatus): void;
  /** Ends a process that is being loaded, with the reason to report. */
  giveUpStart(how: string): void;
  /** Takes changed files over; `null` when the process ended meanwhile, or there is none. */
  reload(files: readonly string[]): Promise<ReloadOutcome | null>;
  /** Asks for the plan of a deploy. */
  plan(): void;
  /** Discards the spare process. The packages may be others by now: the next process is to load them itself. */
  renew(): void;
  /** Asks for a new process after a while, longer each time, unless one comes by then. */
  lost(how: string): void;
  /** Ends every process. */
  stop(): Promise<void>;
}

/** A process that was lost is started again after this many milliseconds, doubled each time up to the longest. */
const RESTART_MS = { first: 250, max: 10_000 };
/** What the user of an interrupted command reads. */
const ABANDONED = 'The bot was restarted while this command ran. Please try again.';
/** A process that ran this long was healthy: the next loss starts from the first delay. */
const STABLE_MS = 30_000;

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const {
    root,
    platform,
    env,
    clock,
    inspectPort,
    startProcess = startBotProcess,
    spare,
  } = options;
  const pending = createPendingEvents({
    clock,
    platform,
    onDeferred(interactionId) {
      for (const child of living) child.send({ type: 'deferred', interactionId });
    },
    onAbandoned: abandon,
    onExpired: options.onExpired,
  });
  /** Every process that has not ended: the current one, its successor, and those that still drain. */
  const living = new Set<BotProcess>();
  /** Processes that ended, and whose events no other process has yet. */
  const ended = new Set<BotProcess>();
  let current: BotProcess | null = null;
  let starting: BotProcess | null = null;
  let ready: Ready | null = null;
  let restart: Timer | undefined;
  let restartDelayMs = RESTART_MS.first;
  let hasStarted = false;
  let stopping = false;

  /**
   * Returns the environment of a bot. On a simulator it gets that one's token: it has no use for the real
   * one.
   */
  function envOfBot(): ChildEnv {
    const given = env();
    return platform.live || !given['BOT_TOKEN'] ? given : { ...given, BOT_TOKEN: platform.token };
  }

  function spawn(): BotProcess {
    const spawnedMs = clock.monotonic();
    const child = startProcess({
      root,
      token: platform.token,
      baseUrl: platform.baseUrl,
      live: platform.live,
      inspectPort,
      env: envOfBot(),
      take: spare && ((of) => spare.take(of)),
      clock,
      onLine: options.onLine,
      onMessage: receive,
      onQuiet: (isQuiet) => pending.quieten(child, isQuiet),
      hasUnanswered: () => pending.hasUnanswered(child),
      suspect: () => pending.suspectOf(child),
      onHeavy: (reason) => child === current && options.onWanted(reason),
      onLost: (how) => {
        if (child !== current) return;
        current = null;
        if (clock.monotonic() - spawnedMs > STABLE_MS) restartDelayMs = RESTART_MS.first;
        lost(how);
      },
    });
    living.add(child);
    void child.ended.then(() => {
      living.delete(child);
      ended.add(child);
      if (current) handOver();
      else pending.quieten(child, true);
    });
    return child;
  }

  function receive(message: FromChild): void {
    if (message.type === 'took') pending.took(message.number, message.what);
    else if (message.type === 'called') pending.called(message.interactionId);
    else if (message.type === 'settled') pending.settled(message.interactionId);
    else options.onMessage(message);
  }

  function lost(how: string): void {
    if (stopping) return;
    options.onLost(how);
    restart?.cancel();
    restart = clock.setTimeout(() => {
      options.onWanted(`the process ended: ${how}`);
    }, restartDelayMs);
    restartDelayMs = Math.min(restartDelayMs * 2, RESTART_MS.max);
  }

  function deliver(event: PendingEvent): void {
    const child = current;
    if (!child) return pending.wait(event);
    const { number, deferred } = pending.hand(event, child);
    if (deferred !== undefined) child.send({ type: 'deferred', interactionId: deferred });
    // It ended a moment ago, which `onLost` reports soon, or already has.
    child.send({ type: 'event', number, event: event.event }, () => {
      if (!pending.undelivered(number)) return;
      if (child === current) pending.wait(event);
      else deliver(event);
    });
  }

  /** Hands over what processes that ended had begun, or not even that. */
  function handOver(): void {
    for (const process of ended) {
      ended.delete(process);
      pending.leftBy(process, process.wasHung).forEach(deliver);
    }
  }

  /** Answers a command from here: the next process may hang as well. */
  function abandon(interactionId: string, command: string): void {
    platform.respond(interactionId, ABANDONED).then(
      () => options.onAbandoned(command),
      // The process that began it has answered it after all, or it has expired.
      () => {},
    );
  }

  /** Hands the events over to a process that is loaded. */
  function activate(child: BotProcess): void {
    current = child;
    if (ready) child.send({ type: 'ready', ready });
    handOver();
    const { events, dropped } = pending.waiting();
    events.forEach(deliver);
    if (dropped > 0) options.onDropped(dropped);
  }

  return {
    get isAnswering() {
      return current !== null;
    },
    async start(unless = () => false, isFirstStopped = false) {
      restart?.cancel();
      // Two processes cannot listen for a debugger on one port.
      if ((isFirstStopped || inspectPort !== undefined) && current) {
        const old = current;
        current = null;
        await old.stop();
      }
      const isRestart = hasStarted;
      hasStarted = true;
      const next = spawn();
      starting = next;
      const start = await next.started;
      starting = null;
      options.onStarted();
      // Most sessions need no restart, and a spare process costs 50 MB and half a second of CPU time.
      if (isRestart && !stopping) spare?.prepare(envOfBot());
      // By then every running process was asked to stop.
      if (start.outcome !== 'loaded' || stopping) return { start, registered: null };
      if (current && unless(start)) {
        void next.stop();
        return { start, registered: null };
      }
      const old = current;
      activate(next);
      // Not waited for: its handlers may take their time, and the next change need not.
      void old?.stop();
      return { start, registered: await next.register() };
    },
    giveUpStart: (how) => starting?.giveUp(how),
    deliver: (event) => deliver(pending.add(event)),
    status(status) {
      if (status.state === 'ready') ready = status.ready;
      current?.send({ type: 'status', status });
    },
    reload: async (files) => (current ? current.reload(files) : null),
    plan: () => current?.send({ type: 'plan' }),
    renew: () => spare?.discard(),
    lost,
    async stop() {
      stopping = true;
      restart?.cancel();
      spare?.discard();
      pending.close();
      await Promise.all([...living].map((child) => child.stop()));
    },
  };
}
