import type { BotName } from '../bots/bench-bot.js';
import type { CommandFigures, CommandLoadOptions } from '../platform/command-load.js';
import { startProcess, type MeasuredProcess } from './child-process.js';

/** What one bot did in one run. */
export interface Sample {
  /** Commands or events per second. */
  readonly perSecond: number;
  /** CPU time of the bot for each of them, all threads, in microseconds. */
  readonly cpuMicros: number;
  /** Share of one core that the platform used: near 1, it may be what was measured. */
  readonly platformLoad: number;
  /** The most memory the bot held, in MiB. */
  readonly peakMiB: number;
  /** Only of commands. */
  readonly latency?: { readonly p50Ms: number; readonly p99Ms: number } | undefined;
  /** Answers that were wrong or came twice. */
  readonly wrong: number;
}

export interface Scenario {
  readonly name: string;
  readonly run: (pair: { platform: MeasuredProcess; bot: MeasuredProcess }) => Promise<Sample>;
  /** What the ratios of each bot to the floor should reach. */
  readonly targets: Partial<Record<BotName, Target>>;
}

interface Target {
  /** Rate, at least. */
  readonly rate: number;
  /** CPU, at most. */
  readonly cpu?: number;
  /** It is not this package's to reach: shown, and not judged. */
  readonly informative?: boolean;
}

/** How much is measured. */
export interface Size {
  readonly rounds: number;
  readonly commands: number;
  readonly delayedCommands: number;
  readonly events: number;
}

const OUTSTANDING = 64;
const NETWORK_MS = 50;

/** Until the code that is measured is compiled. */
const WARM_UP_COMMANDS = 4_000;

async function runCommands(
  { platform, bot }: { platform: MeasuredProcess; bot: MeasuredProcess },
  options: CommandLoadOptions,
): Promise<Sample> {
  const { count, outstanding } = options;
  const warmUp = { count: WARM_UP_COMMANDS, outstanding, delayMs: 0 };
  await platform.ask('commands', warmUp);
  const [botBefore, platformBefore] = await cpuOf(bot, platform);
  const figures = await platform.ask<CommandFigures>('commands', options);
  const [botAfter, platformAfter] = await cpuOf(bot, platform);
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = figures;
  return {
    perSecond,
    cpuMicros: (botAfter - botBefore) / count,
    platformLoad: (((platformAfter - platformBefore) / count) * perSecond) / 1e6,
    peakMiB: await bot.ask('peakMiB'),
    latency: { p50Ms, p99Ms },
    wrong: wrong + doubled,
  };
}

function cpuOf(bot: MeasuredProcess, platform: MeasuredProcess): Promise<[number, number]> {
  return Promise.all([bot.ask<number>('cpu'), platform.ask<number>('cpu')]);
}

async function runEvents(
  { platform, bot }: { platform: MeasuredProcess; bot: MeasuredProcess },
  count: number,
): Promise<Sample> {
  await sendEvents({ platform, bot }, Math.ceil(count / 10));
  const platformBefore = await platform.ask<number>('cpu');
  const { perSecond, cpuMicros, sent } = await sendEvents({ platform, bot }, count);
  const platformMicros = ((await platform.ask<number>('cpu')) - platformBefore) / sent;
  return {
    perSecond,
    cpuMicros,
    platformLoad: (platformMicros * perSecond) / 1e6,
    peakMiB: await bot.ask('peakMiB'),
    wrong: 0,
  };
}

async function sendEvents(
  { platform, bot }: { platform: MeasuredProcess; bot: MeasuredProcess },
  count: number,
) {
  await bot.ask('expectEvents', count);
  const sent = platform.ask<number>('events', count);
  // When an event gets lost the bot waits for ever, and the question for it runs out of time.
  const figures = bot.ask<{ perSecond: number; cpuMicros: number }>('events');
  const [number, measured] = await Promise.all([sent, figures]);
  return { ...measured, sent: number };
}

/** What is compared, in the order it is shown. */
export function scenarios({ commands, delayedCommands, events }: Size): Scenario[] {
  return [
    {
      name: `commands, ${OUTSTANDING} outstanding`,
      run: (pair) => runCommands(pair, { count: commands, outstanding: OUTSTANDING, delayMs: 0 }),
      targets: { client: { rate: 0.92 }, runtime: { rate: 0.85, cpu: 1.2, informative: true } },
    },
    {
      name: `commands, ${OUTSTANDING} outstanding, ${NETWORK_MS} ms of network`,
      run: (pair) =>
        runCommands(pair, {
          count: delayedCommands,
          outstanding: OUTSTANDING,
          delayMs: NETWORK_MS,
        }),
      targets: { client: { rate: 0.95 }, runtime: { rate: 0.95, informative: true } },
    },
    {
      name: 'events (MESSAGE_CREATE)',
      run: (pair) => runEvents(pair, events),
      targets: { client: { rate: 0.97 }, runtime: { rate: 0.95, cpu: 1.05, informative: true } },
    },
  ];
}

/** Starts a platform and a bot for one run, each in its own process, and ends both. */
export async function runOnce(scenario: Scenario, bot: BotName): Promise<Sample> {
  const platform = startProcess('platform');
  try {
    const port = await platform.ask<number>('port');
    const measured = startProcess('bot', { args: [bot, String(port)] });
    try {
      await measured.ask('ready');
      return await scenario.run({ platform, bot: measured });
    } finally {
      await measured.stop();
    }
  } finally {
    await platform.stop();
  }
}
