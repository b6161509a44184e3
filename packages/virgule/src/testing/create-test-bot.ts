import { resolve } from 'node:path';
import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { isVirguleError, redactError } from '@virgule/core/errors';
import { createRedactor, silentLog, type Log } from '@virgule/core/log';
import type { EventName, Profile } from '@virgule/core/protocol';
import { memory, startBot, type CommandRecord, type Config, type Services } from '@virgule/runtime';
import { readEnv, secretsOf } from '@virgule/runtime/process';
import { composeBot, givenServices, type ImportModule } from '@virgule/runtime/project';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { createLoader } from '../loader/create-loader.js';
import { withCodeFrames } from '../loader/code-frame-log.js';
import { prepareProject } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { withFrame } from '../project/with-frame.js';
import { createArrivals } from './arrivals.js';
import { importOfTests } from './import-of-tests.js';

export interface TestBotOptions {
  /**
   * The project's folder.
   *
   * @defaultValue the folder of vitest's project with the plugin of `virgule/vitest`, else the current folder
   */
  readonly root?: string | undefined;
  /**
   * What handlers get as `services`, in place of what `services.ts` makes; that file's function does
   * not run then. They stay the test's own: closing the bot does not dispose them.
   *
   * @defaultValue what `services.ts` makes
   */
  readonly services?: Partial<Services> | undefined;
  /**
   * The environment, as texts. It is checked by the `env` schema of the config.
   *
   * @defaultValue the variables of this process, with `.env`, `.env.local` and `.env.test` below them
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Settings that come before those of `virgule.config.ts`, each by itself. */
  readonly config?: Config | undefined;
  /** The `random` of handlers. @defaultValue random numbers */
  readonly random?: (() => number) | undefined;
  /** Time for the bot and the platform. With a fake clock nothing waits until it is pushed. */
  readonly clock?: Clock | undefined;
  /**
   * How the platform behaves where its interface document is silent.
   *
   * @defaultValue the `profile` of the config
   */
  readonly profile?: Partial<Profile> | undefined;
  readonly log?: Log | undefined;
  /** Imports the project's files in another way than Virgule's own loader, such as `(file) => import(file)`. */
  readonly importModule?: ImportModule | undefined;
}

export interface TestRunOptions {
  /** Name or id of the channel. @defaultValue `'general'` */
  readonly channel?: string | undefined;
  /** Username or id of the user. @defaultValue the owner of the server */
  readonly as?: string | undefined;
}

/** What came of one line. */
export interface TestRun {
  /** Text of the answer when the handler had ended; `undefined` if the command chose silence. */
  readonly text: string | undefined;
  /** Text of every message the bot wrote meanwhile, the answer included, oldest first. */
  readonly replies: readonly string[];
  /** How it ended: `answered`, `acknowledged` or `expired`. */
  readonly state: string;
  /** The files of these messages. */
  readonly files: readonly TestFile[];
  /**
   * How the handler ended: `ok`, `input` if the line could not be parsed, `user-error` for a `UserError`, `cooldown`,
   * `busy`, `timed-out`, `stopped` or `failed`; `expired` if it missed its window.
   */
  readonly result: string;
  /** What the handler threw, or what kept its answer from being shown; `undefined` when nothing did. */
  readonly error: unknown;
}

/** A file of a message. */
export interface TestFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** A bot on a platform of its own, both in this process. */
export interface TestBot {
  /**
   * Runs a line as a user would type it, such as `/roll 20`, and waits for its handler to end.
   *
   * @throws VirguleError `E_SIM_COMMAND_UNKNOWN` when the bot has no such command.
   */
  run(line: string, options?: TestRunOptions): Promise<TestRun>;
  /**
   * Calls `cause`, which causes an event, and waits until the bot has handled it: until its handlers have
   * ended, when it has any for this event.
   *
   * @returns the result of `cause`.
   *
   * @example
   * ```ts
   * await bot.handled('MESSAGE_CREATE', () => bot.platform.sendMessage({ content: 'hi' }));
   * ```
   */
  handled<Result>(event: EventName, cause: () => Result | Promise<Result>): Promise<Result>;
  /** Resolves when no handler and no task is running, such as after a clock was advanced. */
  idle(): Promise<void>;
  /** The platform: its messages, channels and users. */
  readonly platform: Simulator;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long running handlers get for a final reply when a bot is closed, in milliseconds of real time. */
const FINAL_REPLY_MS = 250;

/**
 * Starts the bot of a folder on a private simulator: real files, real sockets, no network, no account.
 *
 * @example
 * ```ts
 * const bot = await createTestBot();
 * expect((await bot.run('/hello')).text).toBe('Hello!');
 * await bot.close();
 * ```
 *
 * @throws ProjectProblems when the project's files or its environment have problems, VirguleError
 *   `E_SERVICES_FAILED` when its services cannot be made; none of it is left running then.
 */
export async function createTestBot(options: TestBotOptions = {}): Promise<TestBot> {
  const { random = systemRandom, clock = systemClock } = options;
  const tests = importOfTests();
  const root = resolve(options.root ?? tests?.root ?? process.cwd());
  const loader = createLoader({ root });
  const log = withCodeFrames(options.log ?? silentLog);
  const variables = options.env ?? readEnv(root, 'test');
  const redact = createRedactor();
  const prepared = await prepareProject(
    root,
    options.importModule ?? tests?.importModule ?? loader.importModule,
    variables,
    { config: options.config, redact },
  );
  const { config, project, env, problems } = prepared;
  if (problems.length > 0) throw new ProjectProblems(problems);
  log.hide?.([...secretsOf(variables, { config, problems }), ...env.secrets]);
  const profile = { ...config.profile, ...options.profile };

  const platform = await startSimulator({ clock, profile, log: silentLog });
  const connection = {
    token: platform.token,
    baseUrl: platform.baseUrl,
    gatewayUrl: platform.gatewayUrl,
  };
  let isClosing = false;
  const botClock: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
    // Closing waits for handlers, which would never end on a fake clock that is not advanced.
    sleep: (delayMs, options) =>
      isClosing
        ? systemClock.sleep(Math.min(delayMs, FINAL_REPLY_MS), options)
        : clock.sleep(delayMs, options),
  };
  const rest = createRest({ ...connection, clock, profile, log, filesRoot: root });
  const composed = composeBot(options.services ? { ...prepared, createServices: null } : prepared, {
    rest,
    log,
    clock: botClock,
    random,
    redact,
    storage: memory(),
    placeOf: loader.placeOf,
  });
  const arrivals = createArrivals(
    createGateway({ ...connection, intents: project.intents, clock, profile, log }),
  );
  /** Of the commands that are waited for; `null` until they have ended. */
  const records = new Map<string, CommandRecord | null>();
  function ended(record: CommandRecord): void {
    if (records.has(record.interactionId)) records.set(record.interactionId, record);
  }
  const bot = await startBot({
    ...connection,
    ...composed,
    ...(options.services && { services: givenServices(options.services) }),
    observers: [{ ended }, ...(config.observers ?? [])],
    // The connection has its own luck: the numbers of a test are for its handlers alone.
    gateway: arrivals.gateway,
    sync: 'apply-with-deletions',
    development: true,
    profile,
    // What still runs when a test closes its bot is not waited for.
    drainMs: 0,
  }).catch(async (error: unknown) => {
    await platform.close();
    throw redactError(isVirguleError(error) ? withFrame(error, root) : error, redact);
  });

  async function close(): Promise<void> {
    isClosing = true;
    await bot.close();
    await platform.close();
    await loader.close();
  }

  async function run(line: string, where: TestRunOptions = {}): Promise<TestRun> {
    const before = new Set(platform.messages(where.channel).map(({ id }) => id));
    const { id } = platform.run({ rawInput: line, ...where });
    records.set(id, null);
    await new Promise<void>((resolve) => {
      const stop = platform.on((event) => {
        if (
          event.type !== 'interaction' ||
          event.interaction.id !== id ||
          event.interaction.state === 'waiting'
        )
          return;
        stop();
        resolve();
      });
    });
    // A handler that missed its window may never end; every other one is waited for.
    if (platform.interaction(id)?.state !== 'expired') await bot.idle();
    const written = platform
      .messages(where.channel)
      .filter(
        (message) =>
          message.authorId === platform.snapshot().bot.botUserId && !before.has(message.id),
      );
    const { state = 'expired', responseMessageId = null } = platform.interaction(id) ?? {};
    const { result, error } = records.get(id) ?? { result: 'expired', error: undefined };
    records.delete(id);
    return {
      text: written.find((message) => message.id === responseMessageId)?.content,
      replies: written.map((message) => message.content),
      state,
      files: written.flatMap(({ attachments }) =>
        attachments.map(({ fileName, size }) => ({ name: fileName, size })),
      ),
      result,
      error,
    };
  }

  async function handled<Result>(
    event: EventName,
    cause: () => Result | Promise<Result>,
  ): Promise<Result> {
    // An event without a listener is not delivered.
    const arrived = project.events.has(event) ? arrivals.next(event) : undefined;
    const result = await cause();
    await arrived;
    await bot.idle();
    return result;
  }

  return { run, handled, idle: () => bot.idle(), platform, close, [Symbol.asyncDispose]: close };
}
