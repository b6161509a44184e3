import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@virgule/core/clock';
import { startProcess, type MeasuredProcess } from '../rounds/child-process.js';
import { startFaultProxy, type FaultProxy } from './fault-proxy.js';
import { faultSchedule, type DueFault } from './fault-schedule.js';
import { judgeSoak, type FeltFault, type SoakFigures, type SoakTruth } from './judge-soak.js';
import { seededRandom } from './seeded-random.js';
import { startSoakPlatform } from './soak-platform.js';
import type { SoakRecords, SoakSample } from './soak-records.js';
import { watchStalls } from './watch-stalls.js';

export interface SoakOptions {
  readonly minutes: number;
  /** The same faults in the same order for the same number. */
  readonly seed: number;
  readonly tell: (line: string) => void;
}

/** The last messages get so long to arrive, in milliseconds. */
const LAST_EVENTS_MS = 3_000;

/** A sample of the heap is taken this long before a fault, in milliseconds. */
const SAMPLE_AHEAD_MS = 500;

/** Runs a bot for so many minutes behind a line that fails, and judges it. */
export async function runSoak({ minutes, seed, tell }: SoakOptions): Promise<SoakFigures> {
  const platform = await startSoakPlatform();
  const proxy = await startFaultProxy(platform.port);
  const bot = startProcess('soak-bot', { execArgv: ['--expose-gc'] });
  try {
    const before = await bot.ask<Record<string, number>>('handles');
    const { token, channelId } = platform;
    await bot.ask('start', { token, channelId, minutes, port: proxy.port });
    await bot.ask('begin');
    platform.begin();
    const forMs = minutes * 60_000;
    const course = await runCourse({ bot, proxy, forMs, seed, tell });
    platform.end();
    await sleep(LAST_EVENTS_MS);
    await bot.ask('end');
    const records = await bot.ask<SoakRecords>('close');
    // What was closed is gone in the next turns of its event loop.
    await sleep(200);
    const after = await bot.ask<Record<string, number>>('handles');
    const { eventsAtMs, commandsAtMs, effects } = platform;
    return judgeSoak(records, {
      ...course,
      effects,
      eventsAtMs,
      commandsAtMs,
      handles: { before, after },
    });
  } finally {
    await bot.stop();
    await proxy.close();
    await platform.close();
  }
}

interface CourseOptions extends Pick<SoakOptions, 'seed' | 'tell'> {
  readonly bot: MeasuredProcess;
  readonly proxy: FaultProxy;
  readonly forMs: number;
}

/** Lets the faults happen when they are due, and looks at the bot before each. */
async function runCourse({ bot, proxy, forMs, seed, tell }: CourseOptions) {
  const beganAtMs = systemClock.monotonic();
  const until = (atMs: number): Promise<unknown> =>
    sleep(Math.max(0, beganAtMs + atMs - systemClock.monotonic()));
  const samples: SoakTruth['samples'][number][] = [];
  const faults: FeltFault[] = [];
  const stalls = watchStalls();

  async function look(): Promise<SoakSample> {
    const sample = await bot.ask<SoakSample>('sample');
    samples.push({ hours: (systemClock.monotonic() - beganAtMs) / 3_600_000, sample });
    return sample;
  }

  for (const due of faultSchedule(forMs, seededRandom(seed))) {
    await until(due.atMs - SAMPLE_AHEAD_MS);
    const sample = await look();
    await until(due.atMs);
    tell(describe(due, sample));
    const fromMs = systemClock.monotonic();
    faults.push({ name: due.fault.name, fromMs, toMs: fromMs + due.fault.feltMs });
    due.fault.begin(proxy, due.withGateway);
    await sleep(due.fault.lastsMs);
    proxy.calm();
  }
  await until(forMs);
  await look();
  return { samples, faults, stalls: stalls.end() };
}

function describe({ atMs, fault, withGateway }: DueFault, sample: SoakSample): string {
  const what = `${fault.name}${withGateway ? ', gateway too' : ''}`;
  const open = Object.values(sample.handles).reduce((sum, count) => sum + count, 0);
  const state = `heap ${sample.heapMiB.toFixed(1)} MiB, ${open} handles`;
  return `${String(atMs / 1_000).padStart(6)} s  ${what}  (${state})`;
}
