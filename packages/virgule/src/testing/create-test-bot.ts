import { join, resolve } from 'node:path';
import { createGateway, type GatewayEvent } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import { createFakeClock, systemClock, systemRandom } from '@virgule/core/clock';
import { isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import { createRedactor, silentLog } from '@virgule/core/log';
import { memory, startBot, type CommandRecord, type StorageSetting } from '@virgule/runtime';
import {
  readEnv,
  secretsOf,
  composeBot,
  givenServices,
  wireCommands,
  type ImportModule,
} from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { createCommandSync, orThrow } from '../dev/child/reloader.js';
import type { EmittedFiles } from '../loader/compile-module.js';
import { createLoader } from '../loader/create-loader.js';
import { withCodeFrames, withFrame } from '../loader/code-frame.js';
import {
  prepareProject,
  type PreparedProject,
  type PrepareOptions,
} from '../project/open-project.js';
import { presented } from '../project/presented-problems.js';
import { ProjectProblems } from '../project/project-problems.js';
import { createActivityRecords } from './activity-records.js';
import { createActions, refuseLogged } from './create-actions.js';
import { importOfTests } from './import-of-tests.js';
import { createMemoryDispatcher } from './memory-dispatcher.js';
import { playFile } from './play-conversation.js';
import type { TestBot, TestBotOptions, TestCommands } from './test-bot.js';
import { createTestClock, FINAL_REPLY_MS } from './test-clock.js';
import { testingErrors } from './testing-errors.js';
import { createTranscript } from './transcript.js';
import { withHint } from './with-hint.js';
import { createWork } from './work.js';

/** Output of esbuild, shared because tests create many bots of one folder. */
const emittedFiles: EmittedFiles = new Map();

/**
 * Starts the bot of a folder on a private simulator, both in this process: no port, no network, no account.
 *
 * @example
 * ```ts
 * const bot = await createTestBot();
 * expect((await bot.run('/hello')).content).toBe('Hello!');
 * await bot.close();
 * ```
 *
 * @throws ProjectProblems when the project's files or its environment have problems, VirguleError `E_SERVICES_FAILED`
 * when its services cannot be created. Everything that was started is stopped before.
 */
export function createTestBot<Commands extends TestCommands = TestCommands>(
  options: TestBotOptions = {},
): Promise<TestBot<Commands>> {
  return startTestBot({ ...options, isEnvOfTest: options.env !== undefined });
}

export interface StartTestBotOptions extends TestBotOptions, Pick<PrepareOptions, 'isEnvOfTest'> {
  /**
   * Called with the problems of the project if its valid part can run, which then starts.
   *
   * @defaultValue any problem rejects
   */
  readonly onProblems?: ((problems: readonly VirguleError[]) => void) | undefined;
  /** Called with the loaded project, and its warnings about code that runs, but probably not as intended. */
  readonly onLoaded?: ((read: Pick<PreparedProject, 'project' | 'warnings'>) => void) | undefined;
  /**
   * Platform and storage that outlive the bot: the caller closes the platform. @defaultValue a new platform and
   * storage
   */
  readonly world?: TestWorld | undefined;
  /** Called when a command has its outcome. */
  readonly onEnded?: ((record: CommandRecord) => void) | undefined;
}

/** Platform and storage that several bots use, one after the other. */
export interface TestWorld {
  /** Set by the first bot. */
  platform: Simulator | undefined;
  readonly storage: StorageSetting;
}

/** Starts a bot for `createTestBot` and for `virgule run`. */
export async function startTestBot<Commands extends TestCommands = TestCommands>(
  options: StartTestBotOptions,
): Promise<TestBot<Commands>> {
  const { random = systemRandom, clock = createFakeClock(), limit = '3s' } = options;
  const { strict = true, network = false } = options;
  const tests = importOfTests();
  const root = resolve(options.root ?? tests?.root ?? process.cwd());
  let pinned: readonly string[] = [];
  const loader = createLoader({ root, pinned: () => pinned, emittedFiles });
  const records = createActivityRecords(clock);
  const log = records.log(withCodeFrames(options.log ?? silentLog));
  const variables = options.env ?? readEnv(root, 'test');
  const redact = createRedactor();
  async function prepare(importModule: ImportModule): Promise<PreparedProject> {
    const read = await prepareProject(root, importModule, variables, {
      config: options.config,
      redact,
      isEnvOfTest: options.isEnvOfTest,
    });
    options.onLoaded?.(read);
    if (read.problems.length === 0) return read;
    if (!options.onProblems || !read.isRunnable) throw new ProjectProblems(read.problems);
    options.onProblems(read.problems);
    return read;
  }
  const prepared = await prepare(
    options.importModule ?? tests?.importModule ?? loader.importModule,
  );
  const { config, project, env, manifest, problems } = prepared;
  pinned = [manifest.services, manifest.config].flatMap((file) => (file ? join(root, file) : []));
  log.hide?.([...secretsOf(variables, { config, problems }), ...env.secrets]);
  const work = createWork(records, clock);
  const times = createTestClock(clock, {
    bind: records.bind,
    during: (slept) => work.during(slept),
    advanced: () => ({
      // Faults can apply to heartbeats, so these are not skipped.
      skipRoutine: platform.faults.rules.length === 0,
      settled: () => tasksSettled(),
    }),
  });
  const profile = { ...config.profile, ...times.profile, ...options.profile };

  const port = network ? 0 : null;
  const { world } = options;
  const platform =
    world?.platform ?? (await startSimulator({ clock, profile, port, log: silentLog }));
  if (world) world.platform = platform;
  const closePlatform = async (): Promise<void> => (world ? undefined : platform.close());
  const { botUserId } = platform.snapshot().bot;
  const connection = {
    token: platform.token,
    baseUrl: platform.baseUrl,
    gatewayUrl: platform.gatewayUrl,
  };
  const closing = new AbortController();
  const dispatcher = createMemoryDispatcher({
    platform,
    clock: times.bot,
    records,
    closing: closing.signal,
  });
  const rest = createRest({ ...connection, clock, profile, log, filesRoot: root, dispatcher });
  const composed = composeBot(
    {
      ...prepared,
      project: work.project(project),
      ...(options.services && { createServices: null }),
    },
    {
      rest: work.rest(rest),
      log,
      clock: times.services,
      random,
      redact,
      storage: world?.storage ?? memory(),
      placeOf: loader.placeOf,
    },
  );
  // The gateway gets no `random`, so that the numbers of a test are used by its handlers only.
  const gateway = createGateway({
    ...connection,
    intents: project.intents,
    clock,
    profile,
    log,
    WebSocket: platform.WebSocket,
  });
  const transcript = createTranscript(platform);
  platform.on((event) => records.observe(event, botUserId));
  const ended = new Map<string, CommandRecord>();
  let dispatch = (_event: GatewayEvent): void => {};
  const bot = await startBot({
    ...connection,
    ...composed,
    clock: times.bot,
    ...(options.services && { services: givenServices(options.services) }),
    observers: [
      {
        ended: (record) => {
          ended.set(record.interactionId, record);
          options.onEnded?.(record);
        },
      },
      ...(config.observers ?? []),
    ],
    gateway: records.gateway(gateway, (listener) => (dispatch = listener)),
    sync: 'apply-with-deletions',
    development: true,
    profile,
    onWait: (wait) => work.opened(wait),
    // The clock of a test does not move by itself, so all messages have the same time and would trigger the guard.
    loopGuard: config.loopGuard ?? false,
    // Closing a bot does not wait for running handlers.
    drainMs: 0,
  }).catch(async (error: unknown) => {
    await closePlatform();
    records.close();
    throw withHint(redactError(isVirguleError(error) ? withFrame(error, root) : error, redact));
  });
  const run = options.services ? givenServices(options.services) : composed.services;
  const services = await (run?.created ?? {});
  const { tasksSettled, ...actions } = createActions({
    bot,
    platform,
    records,
    work,
    ended,
    transcript,
    clock,
    sleepsForMs: () => times.sleepsForMs(),
    playDue: () => times.playDue(),
    closing: closing.signal,
    dispatch: (event) => dispatch(event),
    limit,
    // Closing stops handlers that a test does not await.
    isStrict: () => strict && closed === undefined,
  });

  const registered = createCommandSync({ commands: rest.commands, clock });

  async function reload(...files: readonly string[]): Promise<void> {
    const applied = await loader.apply(files.map((file) => resolve(root, file)));
    if (applied.restart !== undefined)
      throw withHint(testingErrors.E_TEST_CALL({ kind: 'reload', reason: applied.restart }));
    const failures = applied.failures.map(orThrow);
    if (failures.length > 0) throw new ProjectProblems(presented(failures, root, redact));
    const next = await prepare(loader.importModule);
    bot.use(work.project(next.project));
    await registered.sync(next.project);
  }

  let closed: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    // In memory, a whole test may run in one turn of the event loop; unhandled rejections are reported after that
    // turn.
    await systemClock.sleep(0);
    const logged = [...records.logged];
    times.close();
    // Waits for final replies, but not for requests that a fault delays.
    const timer = systemClock.setTimeout(() => closing.abort(), FINAL_REPLY_MS);
    await bot.close();
    timer.cancel();
    closing.abort();
    await closePlatform();
    await loader.close();
    records.close();
    if (strict) refuseLogged('The bot', logged, transcript.of(platform.channel().id));
  }
  const close = (): Promise<void> => (closed ??= shutDown());

  const self: TestBot = {
    ...actions,
    reload,
    dropSocket: () => void platform.dropGateway(),
    expire() {
      for (const { id } of platform.snapshot().interactions) platform.expire(id);
    },
    play: (file) => playFile(self, file, root),
    plan: (registered = []) => planSync(wireCommands(bot.project), registered),
    services,
    clock: times.test,
    platform,
    close,
    [Symbol.asyncDispose]: close,
  };
  return self;
}
