import type { GatewayStatus } from '@virgule/client/gateway';
import type { BotEvent } from '../command/gateway-port.js';
import { onAbort, raceAbort } from '@virgule/core/abort';
import { settlesWithin } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import type { Ready } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import type { CommandInfo } from '../command/command-info.js';
import { describeCommands } from '../command/define/command.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createController } from '../command/lifetime.js';
import { endLeft } from '../command/answer/open-interactions.js';
import type { Project } from '../load/project.js';
import { sqlite } from '../storage/sqlite-storage.js';
import { Recorder } from '../observe/recorder.js';
import { createStorage } from '../storage/storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { TaskRunner } from '../tasks/task-runner.js';
import type { BotEnvironment } from '../command/environment.js';
import { createEnvironment, type BotOptions } from './create-environment.js';
import { userRef } from '../options/references.js';
import { tasksOf } from '../command/run/approval.js';
import { createCalls } from '../command/run/command-calls.js';
import { createCommandIntake, type IntakeState } from '../command/run/command-intake.js';
import { interruptedNames, reportRejection, reportUncaught } from './report-errors.js';
import { EventRunner, type EventSource } from '../events/run-event.js';

/** Maximum number of events that wait for the services. */
const MAX_WAITING_EVENTS = 1_000;
const DEFAULT_DRAIN_MS = 10_000;
/** Time for the final replies of aborted handlers, in milliseconds. */
const FINAL_REPLIES_MS = 4_900;
/** Time for abandoned calls to end after the final replies, in milliseconds. A handler that ignores its signal is not awaited longer. */
const GIVE_UP_MS = 100;
/** Time for the final replies after an uncaught exception, in milliseconds. */
const FINAL_REPLIES_AFTER_CRASH_MS = 1_000;
/** Time for the refusals of the last commands, in milliseconds. */
const LAST_REFUSALS_MS = 2_000;
/** Time for the last write of the journal, in milliseconds. */
const JOURNAL_MS = 500;

const DROPPED =
  'dropped an event: the services are not created yet, and too many events wait for them';

/** A bot that is connected, or about to be. */
export type Bot = Readonly<Pick<RunningBot, keyof RunningBot>>;

export const createBot = (options: BotOptions): Bot => new RunningBot(options);

/** A bot from its creation to its end. Every member can be destructured. */
class RunningBot {
  readonly #options: BotOptions;
  readonly #env: BotEnvironment;
  readonly #events: EventRunner;
  readonly #intake: ReturnType<typeof createCommandIntake>;
  readonly #stopped = runtimeErrors.E_HANDLER_STOPPED({});
  /** Controller that is aborted when a shutdown begins. */
  readonly #closing = createController();
  /** Controller that is aborted at a shutdown after `drainMs`, the time for running handlers to end. */
  readonly #stopping = createController();
  /** Controller that is aborted after the time for the final replies: failed calls are no longer repeated. */
  readonly #ending = createController();
  readonly #storage: StorageConnection;
  readonly #queue: TaskQueue;
  readonly #tasks: TaskRunner;
  project: Project;
  #commandInfos: readonly CommandInfo[] | undefined;
  readonly #waiting: (() => void)[] = [];
  /** `ready` rejects when the services cannot be created, or when a shutdown begins. */
  readonly #state: { -readonly [Key in keyof IntakeState]: IntakeState[Key] };
  /** `true` after the first fatal error. The gateway and the REST client may both report the same error. */
  #isEnding = false;
  #closed: Promise<void> | undefined;

  constructor(options: BotOptions) {
    const { rest, clock, log, services, messageCommands } = options;
    this.#options = options;
    this.#storage =
      options.storage ?? new StorageConnection(sqlite(), { clock, log, root: process.cwd() });
    this.project = options.project;
    this.#queue = options.tasks ?? new TaskQueue(this.#storage, tasksOf(options.project));
    this.#env = createEnvironment(options, {
      storage: createStorage(this.#storage),
      tasks: this.#queue.handles,
      commands: () => (this.#commandInfos ??= describeCommands(this.project, messageCommands)),
      calls: this.calls,
      stopping: this.#stopping.signal,
      ending: this.#ending.signal,
      onError: (error, during) => this.#emit('error', { error, source: during }),
      recorder: options.failed && new Recorder(options.failed, this.#storage, options.log),
    });
    this.#storage.watch = this.#env.observed?.storage;
    this.#events = new EventRunner(this.#env);
    this.#tasks = new TaskRunner(this.#env, this.#queue, (message) =>
      this.#intake.isCommand({ t: 'MESSAGE_CREATE', d: message }),
    );
    // A shutdown does not wait for the services: they may never be created.
    const creating = raceAbort(services?.created ?? Promise.resolve({}), this.#closing.signal);
    const made = creating.then((created) => {
      this.#env.services = created;
      this.#state.ready = undefined;
      for (const task of this.#waiting.splice(0)) task();
    });
    // The caller of `startBot` receives the error, and closes the bot.
    made.catch(() => {});
    this.#state = { commands: this.project.commands, isClosing: false, ready: services && made };
    this.#intake = createCommandIntake(this.#env, options.gateway, this.#state);
    onAbort(rest.tokenRefused, (error) =>
      // The reason of `tokenRefused` is always an error of the client.
      this.#status({ state: 'closed', error: error as VirguleError }),
    );
  }

  /** Number of running handlers. Events that wait for their turn in a channel are not counted. */
  get running(): number {
    return this.#env.activity.count - this.#events.lanes.waiting;
  }

  /** Connects. Resolves at the first READY. */
  readonly connect = (): Promise<Ready> => {
    const { rest, gateway } = this.#options;
    const metrics = gateway.metrics && (async () => gateway.metrics?.() ?? {});
    this.#env.observed?.connecting({ rest, gateway, metrics });
    const left = this.#env.journal?.left() ?? [];
    if (left.length > 0)
      this.#whenServed('start', () => this.#env.activity.track(endLeft(left, this.#env)));
    return gateway.connect({
      dispatch: (event) => this.#dispatch(event),
      status: (change, isElsewhere) => this.#status(change, isElsewhere),
      busy: () => this.#events.lanes.busy(),
    });
  };

  /** Replaces all commands, events and tasks in one step. Handlers in progress end on the old code. */
  readonly use = (next: Project): void => {
    const previous = this.project;
    this.project = next;
    this.#state.commands = next.commands;
    this.#commandInfos = undefined;
    this.#queue.tasks = tasksOf(next);
    this.#tasks.reload();
    this.#events.replace(previous.events, next.events);
  };

  /** Reports an unhandled rejection in the log and as an `error` event, with the command or event that its stack names. */
  readonly unhandledRejection = (reason: unknown): void =>
    reportRejection(reason, this.project, this.#env);

  /**
   * Reports an uncaught exception with the interrupted commands, and answers these commands with the text `restarting`: the
   * process has to end. Resolves when the commands are answered, after a second at the latest.
   */
  readonly uncaughtException = async (thrown: unknown): Promise<void> => {
    reportUncaught(thrown, this.project, this.#env);
    // Another process gets the events that this process has not completed.
    if (this.#options.gateway.drain) return;
    const closed = this.close();
    this.#stopRuns();
    await settlesWithin(closed, FINAL_REPLIES_AFTER_CRASH_MS, this.#env.clock);
  };

  /** Reports the commands that are running, if any: the process ends now. */
  readonly exiting = (): void => {
    const names = interruptedNames(this.#env.runs);
    if (names !== '') this.#env.log.error({}, `the process was ended and interrupts ${names}`);
  };

  /** Runs commands for code that is no handler, such as the runner of a test. */
  readonly calls = createCalls(() => {
    const { commands } = this.project;
    return { env: this.#env, commands, asks: this.#queue.asks };
  });

  /** Resolves when no handler is running and no message is being sent. */
  readonly idle = (): Promise<void> => this.#env.activity.idle();

  /** Refuses new commands and events, lets running handlers end within `drainMs`, then aborts them and disconnects. */
  readonly close = (): Promise<void> => (this.#closed ??= this.#shutDown());

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close();

  #emit(event: string, data: unknown, source?: EventSource): void {
    const from = source ?? { receivedAtMs: this.#env.clock.monotonic() };
    if (!this.#state.ready)
      this.#events.run(this.project.events, event, data, this.#env.me.id, from);
  }

  /** Calls `task` as soon as the services are created. */
  #whenServed(event: string, task: () => void): void {
    if (!this.#state.ready || this.#state.isClosing) task();
    else if (this.#waiting.length < MAX_WAITING_EVENTS)
      this.#waiting.push(this.#env.activity.bind(task));
    else this.#env.log.warn({ event }, DROPPED);
  }

  #dispatch(event: BotEvent): void {
    const { queued } = event;
    this.#env.recorder?.received(event, this.#env);
    if (!queued) this.#take(event);
    else if (queued.to === 'handlers') {
      const ended = (): void => queued.ended();
      this.#env.activity.group(() => this.#take(event), ended);
    } else {
      if (!this.#intake.isCommand(event))
        this.#env.waits.receive(event.t, event.d, this.#env.me.id);
      queued.ended();
    }
  }

  #take(event: BotEvent): void {
    // A command is taken at once, because its answer window has begun. Its run waits for the services.
    if (this.#intake.take(event)) return;
    if (!this.#state.ready) this.#announce(event);
    else this.#whenServed(event.t, () => this.#announce(event));
  }

  #announce(event: BotEvent): void {
    // A queue delivers a copy for the waits, which may be in another process than the handlers.
    if (!event.queued) this.#env.waits.receive(event.t, event.d, this.#env.me.id);
    this.#tasks.answers.receive(event);
    // The group of the event never ends: a queue delivers it again to another process.
    if (this.#state.isClosing) return void this.#env.activity.bind(() => {});
    const isVoice = event.t === 'VOICE_STATE_UPDATE' || event.t === 'VoiceStateChanged';
    const data = isVoice ? this.#env.voice.follow(event.d) : event.d;
    this.#emit(event.t, data, event);
  }

  #status(change: GatewayStatus, isElsewhere = false): void {
    const { log } = this.#env;
    // Observers report on the connection of this process.
    if (!isElsewhere) this.#env.observed?.status(change);
    if (change.state === 'ready') {
      const { ready, reconnected } = change;
      this.#env.me = userRef(ready.botUserId);
      const names = [ready.username, ready.displayName].map((name) => `@${name} `);
      this.#env.mentions = [this.#env.me.toString(), ...names];
      // A process that receives only a part of the events cannot track the users in voice channels.
      if (!isElsewhere) this.#env.voice.connected(ready.serverIds);
      log.info({ servers: ready.serverIds.length }, `${ready.displayName} is ready`);
      this.#whenServed('ready', () => {
        this.#emit('ready', { ...ready, reconnected });
        if (!this.#state.isClosing) this.#tasks.start();
      });
    } else if (change.state === 'reconnecting') {
      const { reason, attempt, delayMs } = change;
      this.#emit('reconnect', { reason, attempt, delayMs });
    } else if (change.state === 'gap') {
      const { state: _, ...gap } = change;
      this.#whenServed('gap', () => this.#emit('gap', gap));
    } else if (change.error && !this.#isEnding) {
      const { error } = change;
      this.#isEnding = true;
      log.error({ err: error }, error.message);
      void this.close().then(() => this.#options.onClosed?.(error));
    }
  }

  #stopRuns(): void {
    this.#events.lanes.clear();
    const { runs, handlerRuns } = this.#env;
    for (const run of [...runs, ...handlerRuns]) run.lifetime.stop(this.#stopped);
    this.#stopping.abort(this.#stopped);
  }

  async #shutDown(): Promise<void> {
    const { rest, gateway, services, drainMs = DEFAULT_DRAIN_MS } = this.#options;
    const { log, clock, waits, activity, journal } = this.#env;
    gateway.drain?.();
    this.#emit('shutdown', {});
    this.#state.isClosing = true;
    this.#closing.abort(this.#stopped);
    this.#events.stop();
    this.#tasks.stop();
    waits.close();
    // Voice ends at once: handlers may wait for the end of a stream, and an open ingress is a silent participant.
    const silenced = this.#env.voice.close();
    for (const task of this.#waiting.splice(0)) task();
    const handlers = (): string => countOf(activity.count, 'handler');
    if (activity.count > 0) log.info({ running: activity.count }, `waiting for ${handlers()}`);
    await settlesWithin(activity.idle(), drainMs, clock);
    this.#stopRuns();
    await settlesWithin(activity.idle(), FINAL_REPLIES_MS, clock);
    this.#ending.abort();
    await settlesWithin(activity.idle(), GIVE_UP_MS, clock);
    const left = `gave up on ${handlers()} that had not ended, or could not deliver an answer`;
    if (activity.count > 0) log.warn({ running: activity.count }, left);
    await silenced;
    await services?.close();
    await this.#storage.close();
    await gateway.close();
    // The gateway is closed, so no new commands arrive; the last refusals are still in flight.
    await settlesWithin(this.#intake.refusals.idle(), LAST_REFUSALS_MS, clock);
    if (journal) await settlesWithin(journal.written(), JOURNAL_MS, clock);
    await rest.close();
  }
}
