import { resolve } from 'node:path';
import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import { systemClock, turn } from '@virgule/core/clock';
import { isVirguleError, redactError } from '@virgule/core/errors';
import { createRedactor, silentLog } from '@virgule/core/log';
import { startBot } from '@virgule/runtime';
import { composeBot, givenServices, resolveMessageCommands } from '@virgule/runtime/bot';
import {
  readEnv,
  secretsOf,
  readDuration,
  wireCommands,
  type ImportModule,
} from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { createCommandSync, orThrow } from '../dev/child/reloader.js';
import type { EmittedFiles } from '../loader/compile-module.js';
import { createLoader } from '../loader/create-loader.js';
import { createSourceMemory } from '../loader/read-source.js';
import { withCodeFrames, withFrame } from '../loader/code-frame.js';
import { prepareProject, type PreparedProject } from '../project/open-project.js';
import { presented } from '../project/presented-problems.js';
import { ProjectProblems } from '../project/project-problems.js';
import { createActivityRecords } from './activity-records.js';
import { createActions } from './create-actions.js';
import type { StartTestBotOptions } from './create-test-bot.js';
import { createKillSwitch } from './kill-switch.js';
import { refuseLogged } from './logged-lines.js';
import { createMemoryDispatcher } from './memory-dispatcher.js';
import type { TestBot } from './test-bot.js';
import { createTestClock, FINAL_REPLY_MS } from './test-clock.js';
import type { Replay } from './replay.js';
import { testingErrors } from './testing-errors.js';
import type { TestWorld } from './test-world.js';
import { withHint } from './with-hint.js';
import { createWork } from './work.js';

/** Texts of files and the output of esbuild, shared because tests create many bots of one folder. */
const readSource = createSourceMemory();
const emittedFiles: EmittedFiles = new Map();

export interface TestProcessOptions extends StartTestBotOptions {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly random: () => number;
  /** Record whose values the bot gets. */
  readonly replay?: Replay | undefined;
}

export type TestProcess = Awaited<ReturnType<typeof startTestProcess>>;

/** Starts one process of a bot in a world: its modules, services, connection and handlers, until it is stopped. */
export async function startTestProcess(options: TestProcessOptions, world: TestWorld) {
  const { root, random, replay, limit = '3s', strict = true, network = false } = options;
  const limitMs = limit === 'none' ? Infinity : readDuration(limit);
  const kill = createKillSwitch();
  const clock = kill.clock(world.clock);
  const loader = createLoader({ root, readSource, emittedFiles });
  const records = createActivityRecords(clock);
  const log = records.log(withCodeFrames(options.log ?? silentLog, root));
  const variables = options.env ?? readEnv(root, 'test');
  const redact = createRedactor();
  async function prepare(importModule: ImportModule): Promise<PreparedProject> {
    const settings = { config: options.config, redact, readSource };
    const read = await prepareProject(root, importModule, variables, settings);
    options.onWarnings?.(read.warnings);
    if (read.problems.length === 0) return read;
    if (!options.onProblems || !read.isRunnable) throw new ProjectProblems(read.problems);
    options.onProblems(read.problems);
    return read;
  }
  const prepared = await prepare(options.importModule ?? loader.importModule);
  const { config, project, env, problems } = prepared;
  log.hide?.([...secretsOf(variables, { config, problems }), ...env.secrets]);
  const work = createWork(records, clock);
  const times = createTestClock(clock, {
    bind: records.bind,
    during: (slept) => work.during(slept),
    isInHandler: () => records.current() !== undefined,
    advanced: () => ({
      // Faults can apply to heartbeats, so these are not skipped.
      skipRoutine: platform.faults.rules.length === 0,
      // A sleep for no time ends in this turn.
      settled: () => turn().then(() => actions.tasksSettled()),
    }),
  });
  // The simulator is not the platform whose facts were measured.
  const profile = { ...config.profile, ...times.profile, ...options.profile, measured: undefined };
  const port = network ? 0 : null;
  const { platform, transcript } = await world.open({ profile, port, log: silentLog });
  const { botUserId } = platform.snapshot().bot;
  const { token, baseUrl, gatewayUrl } = platform;
  const connection = { token, baseUrl, gatewayUrl };
  const closing = new AbortController();
  const dispatcher = createMemoryDispatcher({
    platform,
    clock: times.bot,
    records,
    closing: closing.signal,
    killed: kill.signal,
  });
  const rest = createRest({ ...connection, clock, profile, log, filesRoot: root, dispatcher });
  const values = (await replay?.enter(platform, env.values)) ?? env.values;
  const composed = composeBot(
    {
      ...prepared,
      env: { values },
      project: work.project(project),
      ...(options.services && { createServices: null }),
    },
    {
      rest: replay?.rest(work.rest(rest)) ?? work.rest(rest),
      log,
      clock: times.services,
      random,
      redact,
      storage: world.storage((driver) => {
        const killed = kill.storage(driver);
        return replay?.storage(killed) ?? killed;
      }),
      placeOf: loader.placeOf,
    },
  );
  const services = options.services ? givenServices(options.services) : composed.services;
  // The gateway gets no `random`, so that the numbers of a test are used by its handlers only.
  const gateway = createGateway({
    ...connection,
    intents: project.intents,
    clock,
    profile,
    log,
    backfill: config.backfill ? { rest } : undefined,
    WebSocket: kill.socket(platform.WebSocket),
  });
  const forget = platform.on((event) => records.observe(event, botUserId));
  let isStopping = false;
  const bot = await startBot({
    ...connection,
    ...composed,
    clock: times.bot,
    services,
    observers: [
      {
        ended: (work) => {
          if (!['command', 'call', 'event'].includes(work.kind)) return;
          const record = records.current();
          record?.outcomes.push(work);
          record?.running.delete(work.id ?? '');
        },
      },
      ...(replay ? [replay.observer] : []),
      ...(config.observers ?? []),
    ],
    gateway: records.gateway(gateway),
    sync: 'apply-with-deletions',
    development: true,
    profile,
    interactionJournal: world.journal,
    onWait: (wait) => work.opened(wait),
    // The clock of a test does not move by itself, so all messages have the same time and would trigger the guard.
    loopGuard: config.loopGuard ?? false,
    // Closing a bot does not wait for running handlers.
    drainMs: 0,
  }).catch((error: unknown) => {
    forget();
    records.close();
    throw withHint(redactError(isVirguleError(error) ? withFrame(error, root) : error, redact));
  });
  const { prefix } = resolveMessageCommands(config.messages);
  const actions = createActions({
    root,
    bot,
    platform,
    records,
    work,
    prefix,
    transcript,
    clock,
    times,
    closing: closing.signal,
    killed: kill.killed,
    limitMs,
    // A stop ends handlers that a test does not await.
    isStrict: () => strict && !isStopping,
  });

  const registered = createCommandSync(rest.commands);

  return {
    actions,
    platform,
    get project() {
      return bot.project;
    },
    /** Text before the name of a command in a message. */
    prefix,
    tasks: composed.tasks,
    services: await (services?.created ?? {}),
    advance: times.advance,
    async reload(...files: readonly string[]): Promise<void> {
      const applied = await loader.apply(files.map((file) => resolve(root, file)));
      if (applied.restart !== undefined)
        throw withHint(testingErrors.E_TEST_CALL({ kind: 'reload', reason: applied.restart }));
      const failures = applied.failures.map(orThrow);
      if (failures.length > 0) throw new ProjectProblems(presented(failures, root, redact));
      const next = await prepare(loader.importModule);
      bot.use(work.project(next.project));
      await registered.sync(next.project);
    },
    plan: (given) => planSync(wireCommands(bot.project), given ?? []),
    /** Stops the process, once. @throws VirguleError `E_TEST_STRICT` for lines that belong to no action. */
    async stop(isKill = false): Promise<void> {
      if (isStopping) return;
      isStopping = true;
      // In memory, a whole test may run in one turn of the event loop; unhandled rejections are reported after that turn.
      await systemClock.sleep(0);
      const logged = [...records.logged];
      if (isKill) kill.kill();
      else {
        times.close();
        // Waits for final replies, but not for requests that a fault delays.
        const timer = systemClock.setTimeout(() => closing.abort(), FINAL_REPLY_MS);
        await bot.close();
        timer.cancel();
      }
      closing.abort();
      forget();
      await loader.close();
      records.close();
      actions.refuseUnawaited();
      if (strict) refuseLogged('The bot', logged, transcript.of(platform.channel().id));
    },
  } satisfies Partial<TestBot> & Record<string, unknown>;
}
