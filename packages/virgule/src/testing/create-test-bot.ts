import { resolve } from 'node:path';
import { createFakeClock, systemRandom } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import { checkKeys } from '@virgule/runtime/errors';
import type { Simulator } from '@virgule/simulator';
import type { Actions, Place } from './create-actions.js';
import { importOfTests } from './import-of-tests.js';
import { openReplay } from './replay.js';
import { testingErrors } from './testing-errors.js';
import { playConversation } from './play-conversation.js';
import type { RunOptions, TestActor, TestBot, TestBotOptions, TestCommands } from './test-bot.js';
import { startTestProcess, type TestProcess } from './test-process.js';
import type { StorageSetting } from '@virgule/runtime';
import { createTestWorld } from './test-world.js';
import { withHints } from './with-hint.js';

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
export async function createTestBot<Commands extends TestCommands = TestCommands>(
  options: TestBotOptions = {},
): Promise<TestBot<Commands>> {
  checkKeys('createTestBot()', options, Object.keys(KNOWN));
  return startTestBot(options);
}

const KNOWN: Readonly<Record<keyof TestBotOptions, true>> = {
  root: true,
  services: true,
  env: true,
  config: true,
  random: true,
  clock: true,
  limit: true,
  strict: true,
  network: true,
  profile: true,
  failed: true,
  log: true,
  importModule: true,
};

/** Test bot of a command line. */
export interface StartedBot extends TestBot, Pick<TestProcess, 'project' | 'prefix'> {}

export interface StartTestBotOptions extends TestBotOptions {
  /**
   * Called with the problems of the project if its valid part can run, which then starts.
   *
   * @defaultValue any problem rejects
   */
  readonly onProblems?: ((problems: readonly VirguleError[]) => void) | undefined;
  /** Called with the warnings about code of the project that runs, but probably not as intended. */
  readonly onWarnings?: ((warnings: readonly VirguleError[]) => void) | undefined;
  /** Storage that each process opens. @defaultValue one in memory, which `restart` keeps */
  readonly storage?: StorageSetting | undefined;
  /** Platform that the caller closes. @defaultValue a new platform */
  readonly platform?: Simulator | undefined;
}

/** Starts a bot for `createTestBot` and for `virgule run`. */
export async function startTestBot(given: StartTestBotOptions): Promise<StartedBot> {
  const tests = importOfTests();
  const replay = given.failed === undefined ? undefined : openReplay(given.failed);
  const {
    random = replay?.random ?? systemRandom,
    clock = replay?.clock ?? createFakeClock(),
    strict = !replay,
    limit = replay && 'none',
  } = given;
  const root = resolve(given.root ?? tests?.root ?? process.cwd());
  const importModule = given.importModule ?? tests?.importModule;
  const options = { ...given, importModule, random, root, replay, strict, limit };
  const world = createTestWorld(clock, given);
  const start = () => startTestProcess(options, world);
  async function fail(error: unknown): Promise<never> {
    await world.close();
    throw error;
  }
  let current = await start().catch(fail);
  const { platform } = current;

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= current.stop().then(() => world.close(), fail));

  const self: TestBot = {
    ...createActor(() => current.actions),
    emit: (event, data) => withHints(() => current.actions.emit(event, data)),
    idle: () => withHints(() => current.actions.idle()),
    reload: (...files) => current.reload(...files),
    async restart({ kill = false } = {}) {
      await current.stop(kill);
      current = await start();
    },
    async replay() {
      if (!replay) throw testingErrors.E_TEST_CALL({ kind: 'replay' });
      return replay.run(self, current.tasks, clock);
    },
    dropSocket: () => void platform.dropGateway(),
    expire() {
      for (const { id } of platform.snapshot().interactions) platform.expire(id);
    },
    play: (file) => withHints(() => playConversation(self, file, root)),
    plan: (registered) => current.plan(registered),
    get services() {
      return current.services;
    },
    clock: { now: () => clock.now(), advance: (duration) => current.advance(duration) },
    platform,
    close,
    [Symbol.asyncDispose]: close,
  };
  // Added for the command line, and not among the members of a bot in a test.
  return Object.defineProperties(self as StartedBot, {
    project: { get: () => current.project },
    prefix: { value: current.prefix },
  });
}

/** Returns the actions of a user in a channel, on the process of the bot that runs when they begin. */
function createActor(actions: () => Actions, place: Place = {}): TestActor {
  const act = <Result>(call: (actions: Actions) => Promise<Result>): Promise<Result> =>
    withHints(() => call(actions()), actions().failed);
  return {
    as: (user) => createActor(actions, { ...place, as: user }),
    in: (channel) => createActor(actions, { ...place, channel }),
    run: (line: string, values?: Readonly<Record<string, unknown>>, options?: RunOptions) =>
      act(({ run }) => run(place, line, values, options)),
    say: (content) => act(({ send }) => send(place, content)),
    attach: (file, content = '') => act(({ send }) => send(place, content, [file].flat())),
    react: (emoji, to) => act(({ react }) => react(place, emoji, to)),
  };
}
