import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import type { Profile } from '@virgule/core/protocol';
import { startBot } from '@virgule/runtime';
import type { ImportModule } from '@virgule/runtime/project';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { createLoader } from '../loader/create-loader.js';
import { withSourceStacks } from '../loader/source-stack-log.js';
import { openProject } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';

export interface TestBotOptions {
  /**
   * The project's folder.
   *
   * @defaultValue the current folder
   */
  readonly root?: string | undefined;
  /** What `random` gives to handlers. @defaultValue random numbers */
  readonly random?: (() => number) | undefined;
  /** Time for the bot and the platform. With a fake clock nothing waits until it is pushed. */
  readonly clock?: Clock | undefined;
  /** How the platform behaves where its interface document is silent. */
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
  /** Text of the answer as it stood when the handler had ended; `undefined` when the command chose silence. */
  readonly text: string | undefined;
  /** Text of every message the bot wrote meanwhile, the answer included, oldest first. */
  readonly replies: readonly string[];
  /** How it ended: `answered`, `acknowledged` or `expired`. */
  readonly state: string;
}

/** A bot on a platform of its own, both in this process. */
export interface TestBot {
  /**
   * Runs a line as a user would type it, such as `/roll 20`, and waits for its handler to end.
   *
   * @throws VirguleError `E_SIM_COMMAND_UNKNOWN` when the bot has no such command.
   */
  run(line: string, options?: TestRunOptions): Promise<TestRun>;
  /** The platform: its messages, channels and users. */
  readonly platform: Simulator;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long handlers that still run get for their last words when a bot is closed, on the clock of this machine. */
const LAST_WORDS_MS = 250;

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
 * @throws ProjectProblems when the project's files have problems; none of it is started then.
 */
export async function createTestBot(options: TestBotOptions = {}): Promise<TestBot> {
  const { root = process.cwd(), random = systemRandom, clock = systemClock, profile } = options;
  const loader = createLoader({ root });
  const log = withSourceStacks(options.log ?? silentLog, loader);
  const { project, problems } = await openProject(
    root,
    options.importModule ?? loader.importModule,
  );
  if (problems.length > 0) throw new ProjectProblems(problems);

  const platform = await startSimulator({ clock, profile, log: silentLog });
  const connection = {
    token: platform.token,
    baseUrl: platform.baseUrl,
    gatewayUrl: platform.gatewayUrl,
  };
  let isClosing = false;
  const bot = await startBot({
    ...connection,
    // The connection has its own luck: the numbers of a test are for its handlers alone.
    rest: createRest({ ...connection, clock, profile, log }),
    gateway: createGateway({ ...connection, intents: project.intents, clock, profile, log }),
    project,
    sync: 'apply with deletions',
    development: true,
    profile,
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
      // Closing waits for handlers; a clock that stands still would make that for ever.
      sleep: (delayMs, options) =>
        isClosing
          ? systemClock.sleep(Math.min(delayMs, LAST_WORDS_MS), options)
          : clock.sleep(delayMs, options),
    },
    random,
    log,
    // What still runs when a test closes its bot is not waited for.
    drainMs: 0,
  }).catch(async (error: unknown) => {
    await platform.close();
    throw error;
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
    return {
      text: written.find((message) => message.id === responseMessageId)?.content,
      replies: written.map((message) => message.content),
      state,
    };
  }

  return { run, platform, close, [Symbol.asyncDispose]: close };
}
