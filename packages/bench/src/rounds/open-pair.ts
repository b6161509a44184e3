import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type MeasuredProcess } from './child-process.js';

/** A bot, as its users start it. The environment names the platform and the token. */
export interface BotProgram {
  /** Absolute path, or the name of a program of `src/bin`. */
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
  /** @defaultValue `'bot-interface'` */
  readonly platform?: 'bot-interface' | 'discord' | 'simulator';
  /** Arguments of Node.js. With `--import`, the imported module answers requests. */
  readonly execArgv?: readonly string[];
}

/** A platform and a bot that has identified, each in a process. */
export interface MeasuredPair {
  readonly platform: MeasuredProcess;
  readonly bot: MeasuredProcess;
  /** Time from the start of the bot to its IDENTIFY, in milliseconds. */
  readonly startMs: number;
  /** Resolves with the result of `use`; rejects if the bot exits before. */
  during<Output>(use: (pair: MeasuredPair) => Promise<Output>): Promise<Output>;
  close(): Promise<void>;
}

/** Starts both. The bot runs in an empty folder, and its log goes to a file. */
export async function openPair(options: BotProgram): Promise<MeasuredPair> {
  const { program, env, platform: kind = 'bot-interface', execArgv } = options;
  const folder = await mkdtemp(join(tmpdir(), 'virgule-bench-run-'));
  const platform = startProcess('platform', { args: [kind] });
  let bot: MeasuredProcess | undefined;
  const close = async (): Promise<void> => {
    await bot?.stop();
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await platform.ask<number>('port');
    const token = await platform.ask<string | undefined>('token');
    const identified = platform.ask('identified');
    const startedAtMs = performance.now();
    const started = startProcess(program, {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        BOT_TOKEN: token ?? 'bench-token-opens-nothing',
        BOT_BASE_URL: `http://127.0.0.1:${port}`,
        BOT_GATEWAY_URL: `ws://127.0.0.1:${port}`,
        ...env,
      },
      execArgv,
      stdoutFile: join(folder, 'bot.log'),
      isAsked: execArgv !== undefined,
    });
    bot = started;
    await Promise.race([identified, started.exited]);
    const startMs = performance.now() - startedAtMs;
    const pair: MeasuredPair = {
      platform,
      bot: started,
      startMs,
      during: (use) => Promise.race([use(pair), started.exited]),
      close,
    };
    return pair;
  } catch (error) {
    await close();
    throw error;
  }
}
