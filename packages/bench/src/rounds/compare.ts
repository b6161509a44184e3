import { METRICS, type MetricName } from './metrics.js';
import type { Round } from './run-rounds.js';
import type { Sample, Scenario } from './scenario.js';
import { median } from './statistics.js';

/** A ratio over the rounds. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

type Values<Value> = Readonly<Partial<Record<MetricName, Value>>>;

/** One contender: medians over the rounds, and ratios that were taken inside each round. */
export interface Comparison {
  readonly name: string;
  readonly values: Values<number>;
  /** To the first contender. */
  readonly ratios: Values<Spread>;
  /** CPU time beyond that of the contender before, in microseconds; only of a ladder. */
  readonly stepCpuMicros?: number | undefined;
  /** Share of one core that the other side used. */
  readonly otherLoad?: number | undefined;
  readonly wrong: number;
  /** Targets that are reached, in words. */
  readonly reached: readonly string[];
  /** Targets that are not, and what else is not as it must be; empty when all is well. */
  readonly missed: readonly string[];
}

const NO_SAMPLE: Sample = { values: {} };

export function compare(scenario: Scenario, rounds: readonly Round[]): Comparison[] {
  const { contenders, metrics, ratios: compared, isLadder } = scenario;
  return contenders.map(({ name, targets = {} }, place) => {
    const samples = rounds.map((round) => round[place] ?? NO_SAMPLE);
    const valueOf = (metric: MetricName) =>
      median(samples.map(({ values }) => values[metric] ?? Number.NaN));
    const ratios = Object.fromEntries(
      compared.map((metric) => [
        metric,
        spread(rounds.map((round) => ratio(round, place, metric))),
      ]),
    ) as Values<Spread>;
    const wrong = samples.reduce((sum, sample) => sum + (sample.wrong ?? 0), 0);
    const loads = samples.flatMap(({ otherLoad }) => otherLoad ?? []);
    return {
      name,
      values: Object.fromEntries(
        metrics.map((metric) => [metric, valueOf(metric)]),
      ) as Values<number>,
      ratios,
      stepCpuMicros: isLadder && place > 0 ? stepOf(rounds, place) : undefined,
      otherLoad: loads.length > 0 ? median(loads) : undefined,
      wrong,
      ...judge(ratios, targets, wrong),
    };
  });
}

function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

function ratio(round: Round, place: number, metric: MetricName): number {
  const own = round[place]?.values[metric] ?? Number.NaN;
  return own / (round[0]?.values[metric] ?? Number.NaN);
}

function stepOf(rounds: readonly Round[], place: number): number {
  const cpuOf = (sample: Sample | undefined): number => sample?.values.cpuMicros ?? Number.NaN;
  return median(rounds.map((round) => cpuOf(round[place]) - cpuOf(round[place - 1])));
}

function judge(ratios: Values<Spread>, targets: Values<number>, wrong: number) {
  const reached: string[] = [];
  const missed: string[] = [];
  for (const [metric, target] of Object.entries(targets) as [MetricName, number][]) {
    const value = ratios[metric]?.median ?? Number.NaN;
    const { heading, better } = METRICS[metric];
    // A figure that is not there compares with nothing, and is missed.
    const isReached = better === 'more' ? value >= target : value <= target;
    const sign = better === 'more' ? '>=' : '<=';
    (isReached ? reached : missed).push(`${heading} ${sign} ${target.toFixed(2)}`);
  }
  if (wrong > 0) missed.push(`${wrong} wrong or doubled answers`);
  return { reached, missed };
}
