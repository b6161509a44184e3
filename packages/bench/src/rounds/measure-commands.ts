import type { CommandFigures, CommandLoadOptions } from '../platform/command-load.js';
import type { MeasuredPair } from './measured-pair.js';
import type { Sample } from './scenario.js';

/** Until the code that is measured is compiled. */
const WARM_UP_COMMANDS = 4_000;

/** The most that a command is measured by. */
export const COMMAND_METRICS = ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms', 'peakMiB'] as const;

/** From the frame on the socket to the answer on the wire. */
export async function measureCommands(
  { platform, bot }: MeasuredPair,
  options: CommandLoadOptions,
): Promise<Sample> {
  await platform.ask('commands', { ...options, count: WARM_UP_COMMANDS, delayMs: 0 });
  const cpu = await cpuMeter(bot, platform);
  const figures = await platform.ask<CommandFigures>('commands', options);
  const [botMicros, platformMicros] = await cpu.used();
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = figures;
  return {
    values: {
      perSecond,
      cpuMicros: botMicros / options.count,
      p50Ms,
      p99Ms,
      peakMiB: await bot.ask('peakMiB'),
    },
    otherLoad: ((platformMicros / options.count) * perSecond) / 1e6,
    wrong: wrong + doubled,
  };
}

/** The same run, seen from the platform: what a command costs it. */
export async function measurePlatform(
  { platform, bot }: MeasuredPair,
  options: CommandLoadOptions,
): Promise<Sample> {
  await platform.ask('commands', { ...options, count: WARM_UP_COMMANDS });
  const cpu = await cpuMeter(platform, bot);
  const figures = await platform.ask<CommandFigures>('commands', options);
  const [platformMicros] = await cpu.used();
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = figures;
  return {
    values: { perSecond, cpuMicros: platformMicros / options.count, p50Ms, p99Ms },
    wrong: wrong + doubled,
  };
}

/** Reads the CPU time that each of two processes uses from now on. */
async function cpuMeter(one: MeasuredPair['bot'], other: MeasuredPair['bot']) {
  const read = (): Promise<[number, number]> =>
    Promise.all([one.ask<number>('cpu'), other.ask<number>('cpu')]);
  const [oneBefore, otherBefore] = await read();
  return {
    async used(): Promise<[number, number]> {
      const [oneAfter, otherAfter] = await read();
      return [oneAfter - oneBefore, otherAfter - otherBefore];
    },
  };
}
