import { startProcess } from '../rounds/child-process.js';
import type { SignalFigures } from './signal-bot.js';

/** A heap is never exactly as it was; a listener or a promise a use would be 1,000,000 of them. In MiB. */
const HEAP_NOISE_MIB = 2;

/** Uses one AbortSignal so many times. Gives lines to print and what was broken. */
export async function runSignals(uses: number): Promise<{ lines: string[]; breaches: string[] }> {
  const platform = startProcess('platform');
  const bot = startProcess('soak-bot', { execArgv: ['--expose-gc'], patienceMs: 600_000 });
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
    `uses of one signal      ${figures.uses.toLocaleString('en-US')}, ${Math.round(figures.perSecond)} a second`,
    `listeners               ${figures.mostListeners} at most, ${figures.leftListeners} left`,
    `heap growth             ${figures.heapGrowthMiB.toFixed(2)} MiB`,
    `handles                 ${figures.leftHandles} left after closing`,
  ];
}

export function judgeSignals(figures: SignalFigures): string[] {
  const breaches: string[] = [];
  if (figures.mostListeners > 1) {
    breaches.push(`a signal had ${figures.mostListeners} listeners at a time`);
  }
  if (figures.leftListeners > 0) breaches.push(`${figures.leftListeners} listeners were left`);
  if (figures.heapGrowthMiB > HEAP_NOISE_MIB) {
    breaches.push(`the heap grew by ${figures.heapGrowthMiB.toFixed(1)} MiB`);
  }
  if (figures.leftHandles > 0) breaches.push(`${figures.leftHandles} handles were left`);
  return breaches;
}
