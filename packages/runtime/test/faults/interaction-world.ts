import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { expect, onTestFinished, vi } from 'vitest';
import { startBot, type StartBotOptions } from '../../src/bot/start-bot.js';
import type { Bot } from '../../src/bot/running-bot.js';
import type { CommandDefinition } from '../../src/command/define/define-command.js';
import { projectOf } from '../project-of.js';
import { createRecordedLog, type RecordedLog } from '../recorded-log.js';
import {
  startInteractionPlatform,
  type InteractionPlatform,
  type InteractionPlatformOptions,
} from './interaction-platform.js';

export interface InteractionWorld {
  readonly clock: FakeClock;
  readonly platform: InteractionPlatform;
  readonly bot: Bot;
  readonly log: RecordedLog;
  /** Time passes in steps until something is so, though not while a request is in flight. */
  push(stepMs: number, check: () => void): Promise<void>;
  /** Lets what was sent arrive; no time passes. */
  arrive(check: () => void): Promise<void>;
  /** The details of the log line that ends a command, as soon as there is one. */
  outcome(): Promise<Readonly<Record<string, unknown>>>;
  /** Closes the bot, and checks that it leaves nothing behind. */
  end(): Promise<void>;
}

/** Counts the HTTP requests of this process that have no end yet. */
function countRequests(): () => number {
  const open = new Set<unknown>();
  const onCreate = (message: unknown): void => void open.add(requestOf(message));
  const onEnd = (message: unknown): void => void open.delete(requestOf(message));
  subscribe('undici:request:create', onCreate);
  for (const end of ['trailers', 'error']) subscribe(`undici:request:${end}`, onEnd);
  onTestFinished(() => {
    unsubscribe('undici:request:create', onCreate);
    for (const end of ['trailers', 'error']) unsubscribe(`undici:request:${end}`, onEnd);
  });
  return () => open.size;
}

const requestOf = (message: unknown): unknown => (message as { readonly request: unknown }).request;

type WorldOptions = Omit<InteractionPlatformOptions, 'clock'> &
  Pick<StartBotOptions, 'sync' | 'profile' | 'random'> &
  Pick<CommandDefinition, 'run'> &
  Partial<CommandDefinition>;

/** A bot with the command /x, a platform, and real sockets between them. Time belongs to the test. */
export async function openInteractionWorld(options: WorldOptions): Promise<InteractionWorld> {
  const { windowMs, script, sync = 'never', profile, ...others } = options;
  const { random = () => 0.5, ...definition } = others;
  const clock = createFakeClock();
  const platform = await startInteractionPlatform({ clock, windowMs, script });
  const log = createRecordedLog();
  const bot = await startBot({
    token: platform.token,
    baseUrl: platform.baseUrl,
    gatewayUrl: platform.gatewayUrl,
    project: await projectOf(
      { 'commands/x.ts': { default: { description: 'x', ...definition } } },
      profile,
    ),
    profile,
    sync,
    log,
    clock,
    random,
    drainMs: 0,
  });
  onTestFinished(() => void bot.close());
  const inFlight = countRequests();
  const push = (stepMs: number, check: () => void): Promise<void> =>
    vi.waitFor(
      async () => {
        // Requests in flight take time of this machine: the clock of the test waits for them.
        await clock.advance(inFlight() > platform.stalled ? 0 : stepMs);
        check();
      },
      { timeout: 60_000, interval: 1 },
    );
  return {
    clock,
    platform,
    bot,
    log,
    push,
    arrive: (check) => push(0, check),
    async outcome() {
      const reported = () => log.lines.find(({ details }) => 'outcome' in details);
      await push(0, () => expect(reported()).toBeDefined());
      return reported()?.details ?? {};
    },
    async end() {
      let isClosed = false;
      void bot.close().then(() => (isClosed = true));
      await push(500, () => expect(isClosed).toBe(true));
      await platform.close();
      // Cancelled work goes with the last deadline that was set.
      await clock.advance(15 * 60_000);
      expect([bot.running, clock.pending]).toEqual([0, 0]);
    },
  };
}
