import type { MeasuredPair } from './measured-pair.js';
import type { Sample } from './scenario.js';

export const EVENT_METRICS = ['perSecond', 'cpuMicros', 'peakMiB'] as const;

/** Measures MESSAGE_CREATE from the socket to a handler, as fast as the bot accepts them. */
export async function measureEvents(pair: MeasuredPair, count: number): Promise<Sample> {
  const { platform, bot } = pair;
  // Until V8 has compiled the measured code.
  await sendEvents(pair, count);
  const platformBefore = await platform.ask<number>('cpu');
  const { perSecond, cpuMicros, sent } = await sendEvents(pair, count);
  const platformMicros = ((await platform.ask<number>('cpu')) - platformBefore) / sent;
  return {
    values: { perSecond, cpuMicros, peakMiB: await bot.ask('peakMiB') },
    otherLoad: (platformMicros * perSecond) / 1e6,
  };
}

async function sendEvents({ platform, bot }: MeasuredPair, count: number) {
  await bot.ask('expectEvents', count);
  const sent = platform.ask<number>('events', count);
  // If an event is lost, the bot never responds, and the request times out.
  const figures = bot.ask<{ perSecond: number; cpuMicros: number }>('events');
  const [number, measured] = await Promise.all([sent, figures]);
  return { ...measured, sent: number };
}
