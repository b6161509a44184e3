import type { OpenFigures } from '../platform/open-commands.js';
import type { MeasuredPair } from './measured-pair.js';
import type { Sample } from './scenario.js';

export const MEMORY_METRICS = ['heapBytesEach', 'rssBytesEach', 'rssMiB'] as const;

interface Memory {
  readonly heapBytes: number;
  readonly rssBytes: number;
}

/** Number of commands until connections are open and the measured code is compiled. */
const WARM_UP_COMMANDS = 4_000;

const BYTES_PER_MIB = 1_048_576;

/** Measures the memory of interactions that are open at the same time, deferred and not answered. */
export async function measureMemory(
  { platform, bot }: MeasuredPair,
  open: number,
): Promise<Sample> {
  const warmUp = { name: 'roll', count: WARM_UP_COMMANDS, outstanding: 64, delayMs: 0 };
  await platform.ask('commands', warmUp);
  const before = await bot.ask<Memory>('memory');
  await platform.ask('open', open);
  const during = await bot.ask<Memory>('memory');
  await bot.ask('release');
  const { wrong, doubled } = await platform.ask<OpenFigures>('answered');
  return {
    values: {
      heapBytesEach: (during.heapBytes - before.heapBytes) / open,
      rssBytesEach: (during.rssBytes - before.rssBytes) / open,
      rssMiB: during.rssBytes / BYTES_PER_MIB,
    },
    wrong: wrong + doubled,
  };
}
