import { join } from 'node:path';
import type { GatewayEvent } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { Log, Redactor } from '@virgule/core/log';
import type { SimClockState, SimProblem } from '@virgule/core/simulator-api';
import { sqlite } from '@virgule/runtime';
import { createInteractionJournal, INTERACTIONS_FOLDER } from '@virgule/runtime/process';
import { createBot, composeBot } from '@virgule/runtime/bot';
import {
  commandNamed,
  type Project,
  type ResolvedConfig,
  AUTO_DEFER_MS,
  DEFAULT_TEXTS,
  DEVELOPMENT_FILE,
} from '@virgule/runtime/project';
import { createLoader } from '../../loader/create-loader.js';
import { onLoadingStep } from '../../loader/loading-steps.js';
import { createSerialQueue } from '../../loader/serial-queue.js';
import { toSimProblem } from '../../project/project-problems.js';
import { createProjectReader } from '../../project/project-reader.js';
import { withFrame } from '../../loader/code-frame.js';
import { readProfile } from '../../terminal/read-profile.js';
import { answerQuestion } from './bot-questions.js';
import { logCauses, nameCauses } from './cause-header.js';
import { createCompilerAhead } from './compile-ahead.js';
import { createIpcGateway } from './ipc-gateway.js';
import type { Begin, FromChild, ServerAnswers, ToChild } from '../ipc.js';
import { createCommandSync, createReloader, orThrow } from './reloader.js';

export interface DevBotOptions extends Omit<Begin, 'type' | 'key'> {
  readonly root: string;
  readonly log: Log;
  /** Time limit for registering the commands, or comparing them, in milliseconds. @defaultValue 5,000 */
  readonly syncTimeoutMs?: number | undefined;
  /** Receives the secrets of the environment, so that the log hides them too. */
  readonly redact: Redactor;
  /** Sends a message to the dev server. */
  readonly send: (message: FromChild) => void;
}

/**
 * Starts a bot in development, whose gateway socket is in the server. Resolves to `null` if no part of the project is
 * valid.
 */
export async function startDevBot(options: DevBotOptions) {
  const { root, token, baseUrl, live, redact, send } = options;
  const log = live ? options.log : logCauses(options.log);
  const loader = createLoader({ root, log, hot: true });
  onLoadingStep((step) => send({ type: 'loading', ...step }));
  const toProblems = (problems: readonly VirguleError[]): SimProblem[] =>
    problems.map((problem) => toSimProblem(problem, root, redact));
  const refuse = (problems: readonly VirguleError[]): null => {
    send({ type: 'refused', problems: toProblems(problems) });
    return null;
  };
  const reader = createProjectReader(root, loader, redact, ({ message, hint }) =>
    log.warn({ hint }, message),
  );
  const first = await reader.open(options.env).catch(orThrow);
  if (isVirguleError(first)) return refuse([first]);
  onLoadingStep(() => {});
  const { manifest, config } = first;
  redact.hide([token]);
  if (!first.isRunnable) return refuse(first.problems);

  // The profile in the config describes the real platform; a simulator has the measured one.
  const profile = live ? config.profile : await readProfile(undefined, root).catch(orThrow);
  if (isVirguleError(profile)) return refuse([profile]);
  const rest = createRest({ token, baseUrl, log, profile });
  if (manifest.services !== null)
    send({ type: 'loading', file: join(root, manifest.services), isCreating: true });
  const { botUserId } = await rest.users.me().catch(async (error: unknown) => {
    await rest.close();
    throw error;
  });
  const clock = createWorldClock(systemClock);
  const composed = composeBot(first, {
    rest,
    log,
    clock,
    random: systemRandom,
    redact,
    root,
    platform: { baseUrl, token, botUserId },
    storage: config.storage ?? sqlite({ file: DEVELOPMENT_FILE }),
    placeOf: loader.placeOf,
  });
  const { services } = composed;
  const created = await Promise.resolve(services?.created).catch(orThrow);
  // Services that do not wait for their server report a port in use in the next turn of the event loop.
  // The child that has the port is stopped only if this child has not taken over yet.
  if (services) await systemClock.sleep(0);
  if (isVirguleError(created)) return refuse([...first.problems, withFrame(created, root)]);

  const gateway = createIpcGateway();
  const causes = live ? undefined : nameCauses(new URL(baseUrl).origin);
  const folder = join(root, INTERACTIONS_FOLDER);
  const bot = createBot({
    ...composed,
    gateway,
    profile,
    // With a longer limit, the dev server would end the process during the drain.
    drainMs: Math.min(config.drainMs ?? MAX_DRAIN_MS, MAX_DRAIN_MS),
    // On a simulator, the dev server answers the commands that a child leaves unanswered.
    interactionJournal: live
      ? createInteractionJournal({ folder, baseUrl, botUserId: () => botUserId, log })
      : undefined,
    // Causes of errors are for the author of the code, not for the users of a real chat.
    development: !live,
  });
  const commands = createCommandSync(rest.commands, options.syncTimeoutMs);
  const reload = createReloader({
    root,
    loader,
    reader,
    use: (project) => bot.use(project),
    redact,
    async sync(project, isAsked) {
      if (!live) return commands.sync(project);
      if (isAsked || !commands.isCurrent(project)) await sendPlan(project);
      return null;
    },
  });

  /** Sends the plan. A failed plan is logged, and does not delay the code. */
  async function sendPlan(project: Project): Promise<void> {
    try {
      send({ type: 'plan', plan: await commands.plan(project) });
    } catch (error) {
      log.warn({ err: error }, 'cannot read the registered commands');
    }
  }
  const ahead = createCompilerAhead(loader);
  let described = '';
  /** Sends the facts about the loaded code that the dev server needs. */
  function describeCode(): void {
    // Code may be outside of the project's folder: a shared file of another package, or the target of a link.
    const folders = loader.folders();
    const message: FromChild = { type: 'code', folders, ...answersOf(bot.project, config) };
    const text = JSON.stringify(message);
    if (text !== described) send(message);
    ahead.add(folders);
    described = text;
  }

  void bot.connect();
  describeCode();
  send({
    type: 'loaded',
    commands: first.project.commands.size,
    events: manifest.events.length,
    tasks: manifest.tasks.length,
    problems: toProblems(first.problems),
  });

  // Runs one task at a time, in the order of arrival.
  const inTurn = createSerialQueue();
  return {
    receive(message: ToChild): void {
      switch (message.type) {
        case 'reload': {
          const { number, files } = message;
          void inTurn(async () => {
            send({ type: 'reply', number, value: await reload(files) });
            describeCode();
          });
          break;
        }
        case 'question': {
          const { number, question } = message;
          void answerQuestion({ ...composed, root, project: () => bot.project }, question).then(
            (value) => send({ type: 'reply', number, value }),
          );
          break;
        }
        case 'clock':
          clock.set(message.clock);
          composed.tasks.clockWasSet(message.clock.pausedAtMs !== null);
          break;
        default:
          if (message.type === 'event') {
            const { number, event } = message;
            // Sent before the handler runs: the handler may block the event loop, or end this process.
            send({ type: 'handling', number, what: describeEvent(event, bot.project) });
          }
          if (message.type === 'event' && causes)
            causes.around(message.event.d, () => gateway.receive(message));
          else gateway.receive(message);
      }
    },
    /** Logs a rejected promise that was not handled. */
    unhandledRejection: (reason: unknown): void => bot.unhandledRejection(reason),
    /** Waits for running handlers, and stops. */
    close(): Promise<void> {
      ahead.close();
      return bot.close().finally(() => causes?.close());
    },
  };
}

/** Returns an event and the files that handle it: `/play (commands/play.ts)`; `undefined` when no file handles it. */
function describeEvent({ t, d }: GatewayEvent, { commands, events }: Project): string | undefined {
  const name = t === 'APPLICATION_COMMAND' ? (d as { name?: unknown } | null)?.name : undefined;
  const command = typeof name === 'string' ? commandNamed(commands, name) : undefined;
  if (command) return `/${command.name} (${command.file})`;
  const files = events.get(t)?.map(({ file }) => file);
  return files && `${t} (${files.join(', ')})`;
}

/** Returns the settings for answers in place of the bot. A text that is a function can only be written by the bot. */
function answersOf({ commands }: Project, { texts }: ResolvedConfig): ServerAnswers {
  const defers: Record<string, number | null> = {};
  for (const { name, aliases, deferAfterMs } of commands.values())
    if (deferAfterMs !== AUTO_DEFER_MS)
      for (const each of [name, ...aliases]) defers[each] = deferAfterMs;
  const { restarting } = { ...DEFAULT_TEXTS, ...texts };
  return {
    restarting: typeof restarting === 'string' ? restarting : DEFAULT_TEXTS.restarting,
    defers,
  };
}

/** Time limit in milliseconds for running handlers at the end of a process in development. */
const MAX_DRAIN_MS = 10_000;

/** Creates the clock of a bot in development: the date is that of the simulated world, durations are real. */
function createWorldClock(real: Clock) {
  let state: SimClockState = { offsetMs: 0, pausedAtMs: null };
  return {
    ...real,
    now: (): number => state.pausedAtMs ?? real.now() + state.offsetMs,
    set: (next: SimClockState): void => void (state = next),
  };
}
