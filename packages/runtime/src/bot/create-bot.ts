import { setMaxListeners } from 'node:events';
import type { GatewayEvent, GatewayPort, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import { onAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { RecentIds } from '@virgule/core/collections';
import { errorText, readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import {
  resolveProfile,
  type ApplicationCommandEvent,
  type Profile,
  type Ready,
} from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { describeCommands, type CommandInfo } from '../context/command-info.js';
import { NOTHING_PROVIDED } from '../context/provided.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { resolveTexts, type Texts } from '../define/texts.js';
import { Interaction } from '../interaction/interaction.js';
import { AnswerWindow, type AnswerWindowState } from '../interaction/answer-window.js';
import { createDeadlines } from '../interaction/deadlines.js';
import {
  createMemoryConcurrency,
  type ConcurrencyStore,
} from '../command/throttle/concurrency-store.js';
import { createMemoryCooldowns, type CooldownStore } from '../command/throttle/cooldown-store.js';
import { commandNamed } from '../load/aliases.js';
import { EMPTY_PROJECT, type Project } from '../load/project.js';
import type { BotObserver } from './bot-observer.js';
import { observe } from './observation.js';
import type { ServicesRun } from '../services/create-services.js';
import { Waits } from '../waits/waits.js';
import { Activity } from './activity.js';
import { attributeRejection } from './attribute-rejection.js';
import type { CommandEnvironment } from './command-environment.js';
import type { CommandRun } from './command-run.js';
import { readCommandEvent } from './read-command-event.js';
import { runCommand } from './run-command.js';
import { createEventRunner } from './run-event.js';

export interface BotOptions {
  readonly rest: Rest;
  readonly gateway: GatewayPort;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  /** What the bot answers to at first; `use` replaces it. Until then, events wait. */
  readonly project?: Project | undefined;
  readonly profile?: Partial<Profile> | undefined;
  /** Whether the causes of errors are shown in chat. @defaultValue `false` */
  readonly development?: boolean | undefined;
  /** Removes secrets from the causes of errors that are shown in chat. @defaultValue leaves them as they are */
  readonly redact?: ((text: string) => string) | undefined;
  /** Replaces messages that users get from the framework itself. */
  readonly texts?: Partial<Texts> | undefined;
  /** Where cooldowns are kept. @defaultValue the memory of this process */
  readonly cooldowns?: CooldownStore | undefined;
  /** Where running commands are counted. @defaultValue the memory of this process */
  readonly concurrency?: ConcurrencyStore | undefined;
  /** What handlers get as `services`; events wait until they are created, and `close` disposes them. @defaultValue none */
  readonly services?: ServicesRun | undefined;
  /** What handlers get as `env`. @defaultValue nothing */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  /** How long running handlers get at `close`, in milliseconds. @defaultValue 10,000 */
  readonly drainMs?: number | undefined;
  /** Observe the bot, for metrics and traces. @defaultValue none */
  readonly observers?: readonly BotObserver[] | undefined;
  /** Called when an error ended the connection permanently, or the token was refused; the bot closes itself. */
  readonly onClosed?: (() => void) | undefined;
}

/** A bot that is connected, or about to be. */
export interface Bot {
  /** Connects. Resolves at the first READY. */
  connect(): Promise<Ready>;
  /** Replaces everything the bot answers to, in one step. Handlers in progress end on the old code. */
  use(project: Project): void;
  readonly project: Project;
  /** How many handlers are running. */
  readonly running: number;
  /** What is known about the time for a first answer: the platform publishes none. */
  readonly answerWindow: AnswerWindowState;
  /**
   * Reports an unhandled rejection: in the log, with the command or event it came from as far as its
   * stack says, and as an `error` event.
   */
  unhandledRejection(reason: unknown): void;
  /** Resolves when no handler is running. */
  idle(): Promise<void>;
  /** Refuses new commands and events, lets running handlers end within `drainMs`, then aborts them and disconnects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How many interactions are remembered, so that one delivered twice runs once. The client remembers more. */
const REMEMBERED_INTERACTIONS = 1_000;
/** Most events that wait for the first project. */
const WAITING_EVENTS_MAX = 1_000;
const DEFAULT_DRAIN_MS = 10_000;
/** Time for the final replies of aborted handlers, in milliseconds. */
const FINAL_REPLIES_MS = 4_900;
/** Time for abandoned calls to end after that, in milliseconds. A handler that ignores its signal is left behind. */
const GIVE_UP_MS = 100;
/** Time for the refusals of the last commands, in milliseconds. */
const LAST_REFUSALS_MS = 2_000;

export function createBot(options: BotOptions): Bot {
  const {
    rest,
    gateway,
    log,
    clock,
    random,
    development = false,
    drainMs = DEFAULT_DRAIN_MS,
  } = options;
  const shutdown = new AbortController();
  // Node.js warns (MaxListenersExceededWarning) above ten listeners; many handlers may listen.
  setMaxListeners(0, shutdown.signal);
  /** Aborted after the final replies: calls that did not get through by then are abandoned. */
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const seen = new RecentIds(REMEMBERED_INTERACTIONS);
  const activity = new Activity();
  /** Answers to commands that are not run. Not drained with the handlers: on a busy bot there would always be one more. */
  const refusals = new Activity();
  const runs = new Set<CommandRun>();
  const observed = options.observers?.length ? observe(options.observers, log) : undefined;
  const profile = resolveProfile(options.profile);
  const deadlines = createDeadlines(clock);
  const waits = new Waits({ clock, deadlines, log });
  let project = options.project;
  let commandInfos: readonly CommandInfo[] | null = null;
  let waiting: (() => void)[] = [];
  let botUserId = '';
  let isClosing = false;
  /** By an error: the gateway and the REST client may both report it. */
  let isEnding = false;
  let closed: Promise<void> | null = null;

  const env = options.env ?? NOTHING_PROVIDED.env;
  // Set when the services are created; no handler runs before that.
  const provided = { services: NOTHING_PROVIDED.services, env };
  let isProvided = options.services === undefined;
  let rejectServices: (reason: unknown) => void = () => {};
  /** Settles when the services are created, or will not be. */
  const made = new Promise<void>((resolve, reject) => {
    rejectServices = reject;
    options.services?.created.then(() => resolve(), reject);
  });
  // Most bots have no command that waits for this.
  made.catch(() => {});
  const onError = (error: unknown, during: string): void => emit('error', { error, while: during });
  const { signal } = shutdown;
  const events = createEventRunner({
    rest,
    log,
    clock,
    random,
    profile,
    signal,
    provided,
    activity,
    onError,
  });
  const texts = resolveTexts(options.texts, log);
  const ownCooldowns = createMemoryCooldowns({ clock });
  const environment: CommandEnvironment = {
    rest,
    clock,
    random,
    log,
    provided,
    profile,
    deadlines,
    waits,
    commands: () =>
      (commandInfos ??= describeCommands((project ?? EMPTY_PROJECT).commands.values())),
    window: new AnswerWindow({ clock, log }),
    throttle: {
      cooldowns: options.cooldowns ?? ownCooldowns,
      concurrency: options.concurrency ?? createMemoryConcurrency(),
    },
    texts,
    development,
    redact: options.redact ?? ((text) => text),
    runs,
    ending: ending.signal,
    onError,
    onEnded: observed?.onEnded,
  };

  function emit(event: string, data: unknown, recovered = false): void {
    if (!isProvided) return;
    events.run(project ?? EMPTY_PROJECT, event, data, botUserId, recovered);
  }

  /** Runs `task` once there are a project and services. */
  function withProject(event: string, task: () => void): void {
    if ((project && isProvided) || isClosing) task();
    else if (waiting.length < WAITING_EVENTS_MAX) waiting.push(task);
    else
      log.warn(
        { event },
        'dropped an event: the bot is not loaded yet, and too many events wait for it',
      );
  }

  function use(next: Project): void {
    const previous = project;
    project = next;
    commandInfos = null;
    if (isProvided) takeWaiting();
    if (previous) events.replaceReady(previous, next);
  }

  function takeWaiting(): void {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  }

  function dispatch(event: GatewayEvent): void {
    if (project && isProvided) deliver(event, false);
    else if (project && !isClosing && event.t === 'APPLICATION_COMMAND') {
      // Its window has begun: it waits for the services like for a slow handler.
      command(event, false);
      withProject(event.t, () => announce(event));
    } else withProject(event.t, () => deliver(event, true));
  }

  function deliver(event: GatewayEvent, wasKept: boolean): void {
    if (event.t === 'APPLICATION_COMMAND') command(event, wasKept);
    announce(event);
  }

  function announce(event: GatewayEvent): void {
    waits.receive(event.t, event.d, botUserId);
    if (!isClosing) emit(event.t, event.d, event.recovered === true);
  }

  function command({ d, receivedAtMs }: GatewayEvent, wasKept: boolean): void {
    const event = readCommandEvent(d, log);
    if (!event) return;
    const { name, interactionId } = event;
    if (!seen.add(interactionId)) {
      log.debug({ interactionId }, 'ignored a command that was delivered twice');
      return;
    }
    if (isClosing) {
      refusals.track(refuse(event, receivedAtMs, texts.restarting));
      return;
    }
    const found = project && commandNamed(project.commands, name);
    if (found) {
      const ready = isProvided ? undefined : made;
      const init = { command: found, event, receivedAtMs, wasKept, ready };
      activity.track(
        observed
          ? observed.around({ command: name, interactionId, receivedAtMs }, () =>
              runCommand(init, environment),
            )
          : runCommand(init, environment),
      );
    } else {
      activity.track(refuse(event, receivedAtMs, texts.unknownCommand({ name })));
    }
  }

  async function refuse(
    event: ApplicationCommandEvent,
    receivedAtMs: number,
    content: string,
  ): Promise<void> {
    const interaction = new Interaction({
      id: event.interactionId,
      commandName: event.name,
      calls: rest.interactions,
      profile,
      log,
      clock,
      random,
      receivedAtMs,
      ending: ending.signal,
    });
    try {
      await interaction.write({ content });
      log.info({ command: event.name }, `/${event.name} was refused: ${content}`);
    } catch (error) {
      log.warn({ command: event.name, err: error }, `/${event.name} could not be refused`);
    } finally {
      interaction.end();
    }
  }

  function status(change: GatewayStatus): void {
    observed?.status(change);
    if (change.state === 'ready') {
      const { ready, reconnected } = change;
      botUserId = ready.botUserId;
      log.info({ servers: ready.serverIds.length }, `${ready.displayName} is ready`);
      withProject('ready', () => emit('ready', { ...ready, reconnected }));
    } else if (change.state === 'reconnecting') {
      const { reason, attempt, delayMs } = change;
      log.warn({ attempt, delayMs }, `connection lost: ${reason}`);
      emit('reconnect', { reason, attempt, delayMs });
    } else if (change.state === 'gap') {
      const { state: _, ...gap } = change;
      log.warn(gap, `there was no connection for ${gap.ms} ms; commands of that time are lost`);
      withProject('gap', () => emit('gap', gap));
    } else if (change.error && !isEnding) {
      isEnding = true;
      log.error({ err: change.error }, change.error.message);
      void bot.close().then(options.onClosed);
    }
  }

  async function close(): Promise<void> {
    emit('shutdown', {});
    isClosing = true;
    events.stopReady();
    waits.close();
    // Services may never be created: commands do not wait for them any longer.
    rejectServices(runtimeErrors.E_HANDLER_STOPPED({}));
    // Commands that wait for a project will not get one: they are answered with `restarting`.
    project ??= EMPTY_PROJECT;
    takeWaiting();
    if (activity.count > 0) {
      log.info({ running: activity.count }, `waiting for ${countOf(activity.count, 'handler')}`);
      await activity.idleWithin(drainMs, clock);
    }
    const reason = runtimeErrors.E_HANDLER_STOPPED({});
    events.close();
    for (const run of runs) run.lifetime.stop(reason);
    shutdown.abort(reason);
    await activity.idleWithin(FINAL_REPLIES_MS, clock);
    ending.abort();
    await activity.idleWithin(GIVE_UP_MS, clock);
    if (activity.count > 0)
      log.warn(
        { running: activity.count },
        `${countOf(activity.count, 'handler')} ignored the shutdown`,
      );
    await options.services?.close();
    await gateway.close();
    ownCooldowns.close();
    // The gateway is closed, so no new commands arrive; the last refusals are still in flight.
    await refusals.idleWithin(LAST_REFUSALS_MS, clock);
    await rest.close();
    ignoreRefusal();
  }

  function unhandledRejection(thrown: unknown): void {
    const reason = readableError(thrown);
    const source = attributeRejection(reason, project ?? EMPTY_PROJECT, runs);
    const { command: name, file, interactionId } = source;
    log.error(
      { command: name, file, interactionId, err: reason },
      `${source.text}: ${errorText(reason)}`,
    );
    onError(reason, source.during);
  }

  options.services?.created.then(
    (services) => {
      provided.services = services;
      isProvided = true;
      if (project) takeWaiting();
    },
    // The caller of `startBot` receives the error, and closes the bot.
    () => {},
  );

  const { tokenRefused } = rest;
  const ignoreRefusal = onAbort(tokenRefused, () =>
    status({ state: 'closed', error: tokenRefused.reason }),
  );

  const bot: Bot = {
    connect() {
      observed?.connecting({ rest, gateway });
      return gateway.connect({ dispatch, status, busy: () => events.busy() });
    },
    use,
    get project() {
      return project ?? EMPTY_PROJECT;
    },
    get running() {
      return activity.count;
    },
    get answerWindow() {
      return environment.window.state;
    },
    unhandledRejection,
    idle: () => activity.idle(),
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => bot.close(),
  };
  return bot;
}
