import { setTimeout as pause } from 'node:timers/promises';
import type { CommandFigures, CommandLoadOptions } from '../platform/command-load.js';
import type { EventFigures } from '../platform/fake-platform.js';
import { cpuMicrosOf, memoryOf } from './process-usage.js';
import type { Sample } from './scenario.js';
import type { MeasuredPair } from './open-pair.js';

export const COMMAND_METRICS = ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms', 'peakMiB'] as const;
export const EVENT_METRICS = ['perSecond', 'cpuMicros', 'peakMiB'] as const;
export const START_METRICS = ['startMs', 'startCpuMs', 'rssMiB'] as const;

/** Time for a bot to become idle after its IDENTIFY. */
const IDLE_MS = 1_000;

/** Measures commands from the frame on the socket to the answer on the wire. */
export async function measureCommands(
  pair: MeasuredPair,
  options: CommandLoadOptions,
): Promise<Sample> {
  const { platform, bot } = pair;
  const { output, botMicros, platformMicros } = await withCpu(pair, () =>
    platform.ask<CommandFigures>('commands', options),
  );
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = output;
  const { peakMiB } = memoryOf([bot.pid]);
  const cpuMicros = botMicros / options.count;
  return {
    values: { perSecond, cpuMicros, p50Ms, p99Ms, peakMiB },
    otherLoad: ((platformMicros / options.count) * perSecond) / 1e6,
    wrong: wrong + doubled,
  };
}

/** Measures the cost of commands for the platform. */
export async function measurePlatform(
  pair: MeasuredPair,
  options: CommandLoadOptions,
): Promise<Sample> {
  const { platform } = pair;
  const { output, platformMicros } = await withCpu(pair, () =>
    platform.ask<CommandFigures>('commands', options),
  );
  const { perSecond, p50Ms, p99Ms, wrong, doubled } = output;
  return {
    values: { perSecond, cpuMicros: platformMicros / options.count, p50Ms, p99Ms },
    wrong: wrong + doubled,
  };
}

/** Measures MESSAGE_CREATE from the socket to a handler, as fast as the bot accepts them. */
export async function measureEvents(pair: MeasuredPair, count: number): Promise<Sample> {
  const { platform, bot } = pair;
  const { output, botMicros, platformMicros } = await withCpu(pair, () =>
    platform.ask<EventFigures>('events', count),
  );
  const { sent, perSecond } = output;
  const { peakMiB } = memoryOf([bot.pid]);
  return {
    values: { perSecond, cpuMicros: botMicros / sent, peakMiB },
    otherLoad: ((platformMicros / sent) * perSecond) / 1e6,
  };
}

/** Measures a bot that has identified when it is idle. */
export async function measureStart({ bot, startMs }: MeasuredPair): Promise<Sample> {
  await pause(IDLE_MS);
  const { rssMiB } = memoryOf([bot.pid]);
  return { values: { startMs, startCpuMs: cpuMicrosOf([bot.pid]) / 1_000, rssMiB } };
}

/** Measures the CPU time of both processes during `run`. */
async function withCpu<Output>({ platform, bot }: MeasuredPair, run: () => Promise<Output>) {
  const read = () => [cpuMicrosOf([bot.pid]), cpuMicrosOf([platform.pid])] as const;
  const [botBefore, platformBefore] = read();
  const output = await run();
  const [botAfter, platformAfter] = read();
  return {
    output,
    botMicros: botAfter - botBefore,
    platformMicros: platformAfter - platformBefore,
  };
}
