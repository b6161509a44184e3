import { BOT_NAMES, type BotName } from '../bots/bench-bot.js';
import type { Round } from './run-rounds.js';
import type { Sample, Scenario } from './scenarios.js';
import { median } from './statistics.js';

/** One bot of one scenario: medians over the rounds, and ratios that were taken inside each round. */
export interface Comparison {
  readonly bot: BotName;
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly peakMiB: number;
  readonly platformLoad: number;
  /** Rate of this bot to that of the floor. */
  readonly rateRatio: number;
  /** CPU time of this bot to that of the floor. */
  readonly cpuRatio: number;
  readonly wrong: number;
  /** What is not reached, in words; empty when all is. */
  readonly missed: readonly string[];
  readonly informative: boolean;
}

export function compare({ targets }: Scenario, rounds: readonly Round[]): Comparison[] {
  return BOT_NAMES.map((bot) => {
    const of = (read: (sample: Sample) => number): number =>
      median(rounds.map((round) => read(round[bot])));
    const ratio = (read: (sample: Sample) => number): number =>
      median(rounds.map((round) => read(round[bot]) / read(round.floor)));
    const hasLatency = rounds.every((round) => round[bot].latency !== undefined);
    const rateRatio = ratio(({ perSecond }) => perSecond);
    const cpuRatio = ratio(({ cpuMicros }) => cpuMicros);
    const wrong = rounds.reduce((sum, round) => sum + round[bot].wrong, 0);
    const target = targets[bot];
    const missed: string[] = [];
    if (target && rateRatio < target.rate) missed.push(`rate < ${target.rate.toFixed(2)}`);
    if (target?.cpu && cpuRatio > target.cpu) missed.push(`CPU > ${target.cpu.toFixed(2)}`);
    if (wrong > 0) missed.push(`${wrong} wrong or doubled answers`);
    return {
      bot,
      perSecond: of((sample) => sample.perSecond),
      cpuMicros: of((sample) => sample.cpuMicros),
      p50Ms: hasLatency ? of(({ latency }) => latency?.p50Ms ?? 0) : undefined,
      p99Ms: hasLatency ? of(({ latency }) => latency?.p99Ms ?? 0) : undefined,
      peakMiB: of((sample) => sample.peakMiB),
      platformLoad: of((sample) => sample.platformLoad),
      rateRatio,
      cpuRatio,
      wrong,
      missed,
      informative: target?.informative ?? false,
    };
  });
}
