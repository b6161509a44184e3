import { setMaxListeners } from 'node:events';
import type { GatewayEvent, GatewayPort, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import {
  applicationCommandEventSchema,
  EVENT_ALIASES,
  resolveProfile,
  type ApplicationCommandEvent,
  type Profile,
  type Ready,
} from '@virgule/core/protocol';
import { NOTHING_PROVIDED } from '../context/provided.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createDeadlines } from '../interaction/deadlines.js';
import { EMPTY_PROJECT, type Project } from '../load/project.js';
import type { ServicesRun } from '../services/create-services.js';
import { createEventRunner } from './run-event.js';
import { RecentIds } from './recent-ids.js';
import type { CommandEnvironment } from './command-environment.js';
import { runCommand } from './run-command.js';

export interface BotOptions {
  readonly rest: Rest;
  readonly gateway: GatewayPort;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  /** What the bot answers to at first; `use` replaces it. Until then events wait. */
  readonly project?: Project | undefined;
  readonly profile?: Partial<Profile> | undefined;
  /** Whether errors are told in full in chat. @defaultValue `false` */
  readonly development?: boolean | undefined;
  /** Fills in a deferred command that has no answer. @defaultValue `'Done.'` */
  readonly silentText?: string | undefined;
  /** What handlers get as `services`; events wait until they are made, and `close` disposes them. @defaultValue none */
  readonly services?: ServicesRun | undefined;
  /** What handlers get as `env`. @defaultValue nothing */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  /** How long running handlers get at `close`, in milliseconds. @defaultValue 10,000 */
  readonly drainMs?: number | undefined;
  /** Called when the connection ended for good by an error; the bot closes itself. */
  readonly onClosed?: (() => void) | undefined;
}

/** A bot that is connected, or about to be. */
export interface Bot {
  /** Connects. Resolves at the first READY. */
  connect(): Promise<Ready>;
  /** Replaces everything the bot answers to, in one step. What runs already ends as it began. */
  use(project: Project): void;
  readonly project: Project;
  /** How many handlers are running. */
  readonly running: number;
  /** Resolves when no handler is running. */
  idle(): Promise<void>;
  /** Takes no new commands and events, lets running handlers end within `drainMs`, then aborts them and disconnects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How many interactions are remembered, so that one delivered twice runs once. */
const REMEMBERED_INTERACTIONS = 10_000;
/** How many events wait for the first project at most. */
const WAITING_EVENTS_MAX = 1_000;
const DEFAULT_DRAIN_MS = 10_000;
/** How long aborted handlers get for their last words. What ignores its signal is left behind then. */
const LAST_WORDS_MS = 5_000;

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
  // Every running command listens; Node.js would take the eleventh for a leak and say so.
  setMaxListeners(0, shutdown.signal);
  const seen = new RecentIds(REMEMBERED_INTERACTIONS);
  const running = new Set<Promise<unknown>>();
  let project = options.project;
  let waiting: (() => void)[] = [];
  let botUserId = '';
  let isClosing = false;
  let closed: Promise<void> | null = null;

  const env = options.env ?? NOTHING_PROVIDED.env;
  // The services come in once they are made, which no handler runs before.
  const provided = { services: NOTHING_PROVIDED.services, env };
  let isProvided = options.services === undefined;
  const { signal } = shutdown;
  const events = createEventRunner({ rest, log, clock, random, signal, provided });
  const environment: CommandEnvironment = {
    rest,
    clock,
    random,
    log,
    provided,
    profile: resolveProfile(options.profile),
    deadlines: createDeadlines(clock),
    development,
    silentText: options.silentText ?? 'Done.',
    signal,
    onError: (error, during) => emit('error', { error, while: during }),
  };

  function track(run: Promise<unknown>): void {
    running.add(run);
    void run.finally(() => running.delete(run));
  }

  function emit(event: string, data: unknown): void {
    if (!isProvided) return;
    for (const run of events.run(project ?? EMPTY_PROJECT, event, data, botUserId)) track(run);
  }

  /** Runs `task` with the first project and the services: at once, or when there are both. */
  function withProject(event: string, task: () => void): void {
    if ((project && isProvided) || isClosing) task();
    else if (waiting.length < WAITING_EVENTS_MAX) waiting.push(task);
    else
      log.warn(
        { event },
        'An event came before the bot was loaded and too many wait already: dropped.',
      );
  }

  function use(next: Project): void {
    project = next;
    if (isProvided) takeWaiting();
  }

  function takeWaiting(): void {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  }

  function dispatch(event: GatewayEvent): void {
    const name = Object.hasOwn(EVENT_ALIASES, event.t) ? EVENT_ALIASES[event.t] : event.t;
    if (name === undefined) return;
    withProject(name, () => {
      if (name === 'APPLICATION_COMMAND') command(event);
      if (!isClosing) emit(name, event.d);
    });
  }

  function command({ d, receivedAtMs }: GatewayEvent): void {
    const parsed = applicationCommandEventSchema.safeParse(d);
    if (!parsed.success) {
      log.warn(
        { issues: parsed.error.issues },
        'A command came without what is needed to answer it: dropped.',
      );
      return;
    }
    const event: ApplicationCommandEvent = parsed.data;
    if (!seen.add(event.interactionId)) {
      log.debug({ interactionId: event.interactionId }, 'A command came a second time: ignored.');
      return;
    }
    if (isClosing) {
      // Not waited for: on a busy bot there would always be one more.
      void refuse(event, 'The bot is restarting. Please try again in a moment.');
      return;
    }
    const found = project?.commands.get(event.name);
    if (found) track(runCommand(found, event, receivedAtMs, environment));
    else track(refuse(event, `This bot no longer has a command /${event.name}.`));
  }

  async function refuse(event: ApplicationCommandEvent, content: string): Promise<void> {
    try {
      await rest.interactions.respond(event.interactionId, { content });
      log.info({ command: event.name }, `/${event.name} was refused: ${content}`);
    } catch (error) {
      log.warn({ command: event.name, err: error }, `/${event.name} could not be refused.`);
    }
  }

  function status(change: GatewayStatus): void {
    if (change.state === 'ready') {
      const { ready, reconnected } = change;
      botUserId = ready.botUserId;
      log.info({ servers: ready.serverIds.length }, `${ready.displayName} is ready.`);
      withProject('ready', () => emit('ready', { ...ready, reconnected }));
    } else if (change.state === 'reconnecting') {
      const { reason, attempt, delayMs } = change;
      log.warn({ attempt, delayMs }, `The connection was lost: ${reason}`);
      emit('reconnect', { reason, attempt, delayMs });
    } else if (change.state === 'gap') {
      const { state: _, ...gap } = change;
      log.warn(
        gap,
        `There was no connection for ${gap.ms} ms. Commands of that time cannot be read back.`,
      );
      withProject('gap', () => emit('gap', gap));
    } else if (change.error) {
      log.error({ err: change.error }, change.error.message);
      void bot.close().then(options.onClosed);
    }
  }

  async function close(): Promise<void> {
    emit('shutdown', {});
    isClosing = true;
    // Commands that wait for a project will not get one any more: they are told to come again.
    project ??= EMPTY_PROJECT;
    takeWaiting();
    if (running.size > 0) {
      log.info({ running: running.size }, `Waiting for ${running.size} handlers.`);
      await idleWithin(drainMs);
    }
    shutdown.abort(runtimeErrors.E_HANDLER_STOPPED({}));
    await idleWithin(LAST_WORDS_MS);
    if (running.size > 0)
      log.warn({ running: running.size }, `${running.size} handlers ignored the shutdown.`);
    await options.services?.close();
    await gateway.close();
    await rest.close();
  }

  async function idleWithin(ms: number): Promise<void> {
    if (running.size === 0) return;
    const budget = new AbortController();
    await Promise.race([
      idle().finally(() => budget.abort()),
      clock.sleep(ms, { signal: budget.signal }).catch(() => {}),
    ]);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running);
  }

  options.services?.created.then(
    (services) => {
      provided.services = services;
      isProvided = true;
      if (project) takeWaiting();
    },
    // Whoever starts the bot is told, and closes it.
    () => {},
  );

  const bot: Bot = {
    connect: () => gateway.connect({ dispatch, status }),
    use,
    get project() {
      return project ?? EMPTY_PROJECT;
    },
    get running() {
      return running.size;
    },
    idle,
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => bot.close(),
  };
  return bot;
}
