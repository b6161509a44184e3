import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@virgule/core/clock';
import { startProcess, type MeasuredProcess } from '../rounds/child-process.js';
import { startFaultProxy, type FaultProxy } from './fault-proxy.js';
import { faultSchedule, type DueFault } from './fault-schedule.js';
import {
  judgeSoak,
  type FaultWindow,
  type SoakFigures,
  type PlatformRecords,
} from './judge-soak.js';
import { seededRandom } from './seeded-random.js';
import { startSoakPlatform } from './soak-platform.js';
import type { SoakRecords, SoakSample } from './soak-records.js';
import { watchStalls } from './watch-stalls.js';

export interface SoakOptions {
  readonly minutes: number;
  /** Seed of the faults: the same number results in the same order. */
  readonly seed: number;
  readonly report: (line: string) => void;
}

/** Time for the last messages to arrive, in milliseconds. */
const LAST_EVENTS_MS = 3_000;

/** Time between a sample of the heap and the next fault, in milliseconds. */
const SAMPLE_AHEAD_MS = 500;

/** Runs a bot behind a faulty connection, and judges it. */
export async function runSoak({ minutes, seed, report }: SoakOptions): Promise<SoakFigures> {
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
    const course = await runCourse({ bot, proxy, forMs, seed, report });
    platform.end();
    await sleep(LAST_EVENTS_MS);
    await bot.ask('end');
    const records = await bot.ask<SoakRecords>('close');
    // Closed handles disappear in the next turns of its event loop.
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

interface CourseOptions extends Pick<SoakOptions, 'seed' | 'report'> {
  readonly bot: MeasuredProcess;
  readonly proxy: FaultProxy;
  readonly forMs: number;
}

/** Starts the faults when they are due, and samples the process of the bot before each. */
async function runCourse({ bot, proxy, forMs, seed, report }: CourseOptions) {
  const beganAtMs = systemClock.monotonic();
  const until = (atMs: number): Promise<unknown> =>
    sleep(Math.max(0, beganAtMs + atMs - systemClock.monotonic()));
  const samples: PlatformRecords['samples'][number][] = [];
  const faults: FaultWindow[] = [];
  const stalls = watchStalls();

  async function takeSample(): Promise<SoakSample> {
    const sample = await bot.ask<SoakSample>('sample');
    samples.push({ hours: (systemClock.monotonic() - beganAtMs) / 3_600_000, sample });
    return sample;
  }

  for (const due of faultSchedule(forMs, seededRandom(seed))) {
    await until(due.atMs - SAMPLE_AHEAD_MS);
    const sample = await takeSample();
    await until(due.atMs);
    report(describe(due, sample));
    const fromMs = systemClock.monotonic();
    faults.push({ name: due.fault.name, fromMs, toMs: fromMs + due.fault.effectMs });
    due.fault.begin(proxy, due.withGateway);
    await sleep(due.fault.durationMs);
    proxy.restore();
  }
  await until(forMs);
  await takeSample();
  return { samples, faults, stalls: stalls.end() };
}

function describe({ atMs, fault, withGateway }: DueFault, sample: SoakSample): string {
  const what = `${fault.name}${withGateway ? ', with gateway' : ''}`;
  const open = Object.values(sample.handles).reduce((sum, count) => sum + count, 0);
  const state = `heap ${sample.heapMiB.toFixed(1)} MiB, ${open} handles`;
  return `${String(atMs / 1_000).padStart(6)} s  ${what}  (${state})`;
}
