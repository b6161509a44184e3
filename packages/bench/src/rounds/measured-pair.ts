import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotName } from '../bots/bench-bot.js';
import { startProcess, type MeasuredProcess } from './child-process.js';

/** A platform and a bot, each in a separate process. */
export interface MeasuredPair {
  readonly platform: MeasuredProcess;
  readonly bot: MeasuredProcess;
}

export interface PairOptions {
  readonly bot: BotName;
  /** @defaultValue `'bot-interface'` */
  readonly platform?: 'bot-interface' | 'discord' | 'simulator';
  /** Folder with the library of the bot, if it is not part of this workspace. */
  readonly folder?: string | undefined;
  /** Intents of the bot written by hand. @defaultValue all */
  readonly intents?: readonly string[];
  readonly execArgv?: readonly string[];
}

/** Starts both for a run, and always stops both. */
export async function withPair<Output>(
  { bot: name, platform: kind = 'bot-interface', folder = '', intents, execArgv }: PairOptions,
  use: (pair: MeasuredPair) => Promise<Output>,
): Promise<Output> {
  // Log lines go to a file, as in production.
  const logFolder = await mkdtemp(join(tmpdir(), 'virgule-bench-log-'));
  const platform = startProcess('platform', { args: [kind] });
  try {
    const port = await platform.ask<number>('port');
    const token = await platform.ask<string | undefined>('token');
    const bot = startProcess('bot', {
      args: [JSON.stringify({ name, port, token, folder, intents })],
      execArgv,
      stdoutFile: join(logFolder, 'bot.log'),
    });
    try {
      await bot.ask('ready');
      return await use({ platform, bot });
    } finally {
      await bot.stop();
    }
  } finally {
    await platform.stop();
    await rm(logFolder, { recursive: true, force: true });
  }
}
