import { join, relative, sep } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import { silentLog, type Log } from '@virgule/core/log';
import { createBot, syncCommands } from '@virgule/runtime';
import { createRedactor, type Env } from '@virgule/runtime/process';
import { createServices } from '@virgule/runtime/project';
import { createLoader } from '../loader/create-loader.js';
import { withSourceStacks } from '../loader/source-stack-log.js';
import { openProject, prepareProject } from '../project/open-project.js';
import { toSimProblem } from '../project/project-problems.js';
import { withFrame } from '../project/with-frame.js';
import { createIpcGateway } from './ipc-gateway.js';
import type { FromChild, ReloadOutcome, ToChild } from './messages.js';

export interface DevBotOptions {
  readonly root: string;
  readonly token: string;
  readonly baseUrl: string;
  /** The environment of the bot. @defaultValue empty */
  readonly env?: Env | undefined;
  readonly log: Log;
  /** Sends a message to the dev server. */
  readonly send: (message: FromChild) => void;
}

export interface DevBot {
  receive(message: ToChild): void;
  /** Tells a rejected promise that nobody waited for. */
  unhandledRejection(reason: unknown): void;
  /** Lets running handlers end, and stops. */
  close(): Promise<void>;
}

/** The bot as it runs in development: its socket is elsewhere, and its code can be replaced while it runs. */
export async function startDevBot(options: DevBotOptions): Promise<DevBot | null> {
  const { root, token, baseUrl, send } = options;
  /** Created once: what changes in these, or in what they import, needs a new process. */
  let pinned: readonly string[] = [];
  const loader = createLoader({ root, log: options.log, pinned: () => pinned });
  const log = withSourceStacks(options.log, loader);
  const refuse = (problems: readonly VirguleError[]): null => {
    send({ type: 'refused', problems: problems.map((problem) => toSimProblem(problem, root)) });
    return null;
  };
  const first = await prepareProject(root, loader.importModule, options.env ?? {});
  const { manifest: entries, config, env } = first;
  options.log.hide?.(env.secrets);
  if (first.problems.length > 0) return refuse(first.problems);
  const once = [entries.services, entries.config].filter((file) => file !== null);
  pinned = once.map((file) => join(root, file));

  const services = first.createServices
    ? createServices({
        create: first.createServices,
        file: entries.services ?? 'services',
        env: env.values,
        log,
        clock: systemClock,
        random: systemRandom,
        redact: createRedactor(env.secrets),
        placeOf: loader.placeOf,
      })
    : undefined;
  try {
    await services?.created;
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    return refuse([withFrame(error, root)]);
  }

  // The config's profile is of the real platform: here the simulator's own holds.
  const rest = createRest({ token, baseUrl, log });
  const gateway = createIpcGateway();
  const bot = createBot({
    rest,
    gateway,
    log,
    clock: systemClock,
    random: systemRandom,
    project: first.project,
    services,
    env: env.values,
    texts: config.texts,
    // Longer, and the dev server would end the process in between.
    drainMs: Math.min(config.drainMs ?? DRAIN_MAX_MS, DRAIN_MAX_MS),
    development: true,
  });
  try {
    await rest.users.me();
    await syncCommands(rest, first.project, 'apply with deletions', silentLog);
  } catch (error) {
    await bot.close();
    throw error;
  }
  void bot.connect();
  send({
    type: 'loaded',
    commands: first.project.commands.size,
    events: first.manifest.events.length,
  });

  let shape = JSON.stringify(first.manifest);
  /** Whether a change waits to be taken over. Then any file may be what it waits for. */
  let waiting = false;

  async function reload(files: readonly string[]): Promise<ReloadOutcome> {
    if (!waiting && !files.some((file) => matters(file))) return { outcome: 'unchanged' };
    const result = await takeOver(files);
    waiting = result.outcome === 'failed' || result.outcome === 'unsupported';
    return result;
  }

  async function takeOver(files: readonly string[]): Promise<ReloadOutcome> {
    try {
      const applied = await loader.apply(files);
      if (applied.outcome === 'unsupported') return applied;
      const { manifest, project, problems } = await openProject(root, loader.importModule);
      if (problems.length > 0) {
        return {
          outcome: 'failed',
          problems: problems.map((problem) => toSimProblem(problem, root)),
        };
      }
      const evaluated = applied.evaluated.length;
      const next = JSON.stringify(manifest);
      // Saved as it was. After a failure it is news all the same: the file is sound again.
      if (evaluated === 0 && next === shape && !waiting) return { outcome: 'unchanged' };
      shape = next;
      bot.use(project);
      const plan = await syncCommands(rest, project, 'apply with deletions', silentLog);
      return { outcome: 'swapped', evaluated, synced: plan !== null && !plan.empty };
    } catch (error) {
      // Anything else is a defect of ours: the process ends, and a new one starts from the files as they are.
      if (!isVirguleError(error)) throw error;
      return { outcome: 'failed', problems: [toSimProblem(error, root)] };
    }
  }

  /** Whether the bot is made of this file, or would be: a new file in a folder of routes has no importer yet. */
  function matters(file: string): boolean {
    const [top, second] = relative(root, file).split(sep);
    const folder = top === 'src' ? second : top;
    return (
      folder === 'commands' ||
      folder === 'events' ||
      RESTARTING.test(file) ||
      loader.files().includes(file)
    );
  }

  // One reload at a time, in the order the changes came.
  let tail: Promise<unknown> = Promise.resolve();
  return {
    receive(message) {
      if (message.type === 'reload') {
        const { number, files } = message;
        tail = tail.then(async () =>
          send({ type: 'reloaded', number, result: await reload(files) }),
        );
      } else {
        gateway.receive(message);
      }
    },
    unhandledRejection: (reason) => bot.unhandledRejection(reason),
    close: () => bot.close(),
  };
}

/** How long handlers may take to end in development. */
const DRAIN_MAX_MS = 10_000;
/** Files that shape the process itself. */
const RESTARTING =
  /(^|[\\/])(package\.json|tsconfig[^\\/]*\.json|virgule\.config\.[cm]?[jt]s|services\.[cm]?[jt]s|\.env[^\\/]*)$/;
