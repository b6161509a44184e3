import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import type { CommandDefinition } from '../src/command/define/define-command.js';
import { createBot, type Bot } from '../src/bot/running-bot.js';
import type { BotOptions } from '../src/bot/create-environment.js';
import { createFakeGateway, type FakeGateway } from './fake-gateway.js';
import { createFakeRest, type FakeRest } from './fake-rest.js';
import { CHANNEL, interactionId, SERVER } from './ids.js';
import { projectOf, type Modules } from './project-of.js';
import { createRecordedLog, type RecordedLog } from './recorded-log.js';

/** A bot on a platform that the test plays. */
export interface TestBot {
  readonly bot: Bot;
  readonly clock: FakeClock;
  readonly rest: FakeRest;
  readonly gateway: FakeGateway;
  readonly log: RecordedLog;
  /** The calls that were made for interactions, in short. */
  readonly lines: readonly string[];
  /** Delivers a typed line as the next interaction, and returns its id. Nothing is waited for. */
  type(line: string, received?: { readonly agoMs?: number; readonly id?: string }): string;
  /** Delivers a typed line and waits until every handler has ended. */
  run(line: string): Promise<readonly string[]>;
  /** Delivers any other event, received now. */
  emit(t: string, d: unknown): void;
}

/** Options of `createBot` that a test may set. */
export type TestBotOptions = Partial<
  Pick<
    BotOptions,
    | 'development'
    | 'redact'
    | 'texts'
    | 'drainMs'
    | 'loopGuard'
    | 'messageCommands'
    | 'cooldowns'
    | 'concurrency'
    | 'profile'
    | 'onClosed'
    | 'random'
    | 'project'
    | 'observers'
    | 'services'
    | 'voice'
    | 'env'
    | 'interactionJournal'
    | 'storage'
    | 'failed'
  >
> & {
  /** `true` if the log keeps lines of the level info. @defaultValue `true` */
  readonly keepsInfo?: boolean;
  /** `true` for a gateway that drops repeated commands itself. @defaultValue the bot drops them */
  readonly deliversOnce?: true | undefined;
};

/** Starts a bot of these modules, and connects it. */
export async function startTestBot(
  modules: Modules,
  { keepsInfo, deliversOnce, ...options }: TestBotOptions = {},
): Promise<TestBot> {
  const clock = createFakeClock();
  const rest = createFakeRest();
  const gateway = createFakeGateway({ deliversOnce });
  const log = createRecordedLog(keepsInfo);
  const bot = createBot({
    rest: rest.rest,
    gateway,
    log,
    clock,
    random: () => 0.5,
    project: await projectOf(modules),
    ...options,
  });
  await bot.connect();

  let count = 0;
  const type: TestBot['type'] = (line, { agoMs = 0, id } = {}) => {
    count += 1;
    const command = {
      interactionId: id ?? interactionId(count),
      serverId: SERVER,
      channelId: CHANNEL,
      name: /^\/(\S+)/.exec(line)?.[1] ?? '',
      rawInput: line,
    };
    gateway.emit('APPLICATION_COMMAND', command, clock.monotonic() - agoMs);
    return command.interactionId;
  };
  return {
    bot,
    clock,
    rest,
    gateway,
    log,
    get lines() {
      return rest.lines;
    },
    type,
    async run(line) {
      type(line);
      await bot.idle();
      return rest.lines;
    },
    emit: (t, d) => gateway.emit(t, d, clock.monotonic()),
  };
}

/** A bot with the one command /x. */
export function startCommand(
  definition: Pick<CommandDefinition, 'run'> & Partial<CommandDefinition>,
  options: TestBotOptions = {},
): Promise<TestBot> {
  return startTestBot(
    { 'commands/x.ts': { default: { description: 'Does x', ...definition } } },
    options,
  );
}

/** Lets every promise callback that is ready run. */
export const settle = (): Promise<void> => createFakeClock().advance(0);
