import { startProcess } from '../rounds/child-process.js';
import type { SignalFigures } from './signal-bot.js';

/** Heap growth that is not significant, in MiB; one leaked object per use would be 1,000,000 objects. */
const HEAP_NOISE_MIB = 2;

/** Uses one AbortSignal many times. Resolves with lines to print and unmet requirements. */
export async function runSignals(uses: number): Promise<{ lines: string[]; breaches: string[] }> {
  const platform = startProcess('platform');
  const bot = startProcess('soak-bot', { execArgv: ['--expose-gc'], timeoutMs: 600_000 });
  try {
    const port = await platform.ask<number>('port');
    const figures = await bot.ask<SignalFigures>('signals', { port, uses });
    return { lines: format(figures), breaches: judgeSignals(figures) };
  } finally {
    await bot.stop();
    await platform.stop();
  }
}

function format(figures: SignalFigures): string[] {
  return [
    `uses of one signal      ${figures.uses.toLocaleString('en-US')}, ${Math.round(figures.perSecond)} per second`,
    `listeners               at most ${figures.maxListeners}, ${figures.leakedListeners} leaked`,
    `heap growth             ${figures.heapGrowthMiB.toFixed(2)} MiB`,
    `handles                 ${figures.leakedHandles} open after close`,
  ];
}

export function judgeSignals(figures: SignalFigures): string[] {
  const breaches: string[] = [];
  if (figures.maxListeners > 1) {
    breaches.push(`the signal had ${figures.maxListeners} listeners at once`);
  }
  if (figures.leakedListeners > 0) breaches.push(`leaked listeners: ${figures.leakedListeners}`);
  if (figures.heapGrowthMiB > HEAP_NOISE_MIB) {
    breaches.push(`the heap grew by ${figures.heapGrowthMiB.toFixed(1)} MiB`);
  }
  if (figures.leakedHandles > 0)
    breaches.push(`handles open after close: ${figures.leakedHandles}`);
  return breaches;
}
