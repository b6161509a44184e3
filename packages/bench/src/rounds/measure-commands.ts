import type { CommandFigures, CommandLoadOptions } from '../platform/command-load.js';
import type { MeasuredPair } from './measured-pair.js';
import type { Sample } from './scenario.js';

/** All metrics of commands. */
export const COMMAND_METRICS = ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms', 'peakMiB'] as const;

/** Measures commands from the frame on the socket to the answer on the wire. */
export async function measureCommands(
  { platform, bot }: MeasuredPair,
  options: CommandLoadOptions,
  warmUpCommands: number,
): Promise<Sample> {
  await platform.ask('commands', { ...options, count: warmUpCommands, delayMs: 0 });
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

/** Measures the cost of commands for the platform. */
export async function measurePlatform(
  { platform, bot }: MeasuredPair,
  options: CommandLoadOptions,
  warmUpCommands: number,
): Promise<Sample> {
  await platform.ask('commands', { ...options, count: warmUpCommands });
  const cpu = await cpuMeter(platform, bot);
  const figures = await platform.ask<CommandFigures>('commands', options);
  const [platformMicros] = await cpu.used();
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = figures;
  return {
    values: { perSecond, cpuMicros: platformMicros / options.count, p50Ms, p99Ms },
    wrong: wrong + doubled,
  };
}

/** Measures the CPU time of two processes from now on. */
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
