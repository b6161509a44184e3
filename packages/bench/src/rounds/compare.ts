import { METRICS, type MetricName } from './metrics.js';
import type { Slice } from './run-rounds.js';
import type { Sample, Scenario } from './scenario.js';
import { median, percentile } from './statistics.js';

/** A ratio over all slices. */
export interface Spread {
  readonly median: number;
  /** Quartiles. */
  readonly low: number;
  readonly high: number;
}

type Values<Value> = Readonly<Partial<Record<MetricName, Value>>>;

/** The results of a contender: medians over all slices, and ratios within each slice. */
export interface Comparison {
  readonly name: string;
  readonly values: Values<number>;
  /** Ratios to the first contender. */
  readonly ratios: Values<Spread>;
  /** Differences from the first contender. */
  readonly added: Values<Spread>;
  /** Share of one core that the other side used. */
  readonly otherLoad?: number | undefined;
  readonly wrong: number;
  /** Descriptions of reached targets. */
  readonly reached: readonly string[];
  /** Descriptions of missed targets and wrong answers; empty if there are none. */
  readonly missed: readonly string[];
  /** Descriptions of aims that are not reached. */
  readonly ahead: readonly string[];
}

const NO_SAMPLE: Sample = { values: {} };

/** Compares the contenders of a scenario. */
export function compare(scenario: Scenario, slices: readonly Slice[]): Comparison[] {
  const { contenders, metrics, ratios: compared, added: differing = [] } = scenario;
  return contenders.map(({ name, targets = {}, aims = {}, addedTargets = {} }, place) => {
    const samples = slices.map((slice) => slice[place] ?? NO_SAMPLE);
    const valueOf = (metric: MetricName) =>
      median(samples.map(({ values }) => values[metric] ?? Number.NaN));
    const spreads = (of: readonly MetricName[], read: typeof ratio) =>
      Object.fromEntries(
        of.map((metric) => [metric, spread(slices.map((slice) => read(slice, place, metric)))]),
      ) as Values<Spread>;
    const ratios = spreads(compared, ratio);
    const added = spreads(differing, difference);
    const wrong = samples.reduce((sum, sample) => sum + (sample.wrong ?? 0), 0);
    const loads = samples.flatMap(({ otherLoad }) => otherLoad ?? []);
    return {
      name,
      values: Object.fromEntries(
        metrics.map((metric) => [metric, valueOf(metric)]),
      ) as Values<number>,
      ratios,
      added,
      otherLoad: loads.length > 0 ? median(loads) : undefined,
      wrong,
      ...judge([...judged(ratios, targets), ...judged(added, addedTargets, ' added')], wrong),
      ahead: judged(ratios, aims).flatMap(({ isReached, what }) => (isReached ? [] : what)),
    };
  });
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: median(values), low: percentile(sorted, 0.25), high: percentile(sorted, 0.75) };
}

function ratio(slice: Slice, place: number, metric: MetricName): number {
  const own = slice[place]?.values[metric] ?? Number.NaN;
  return own / (slice[0]?.values[metric] ?? Number.NaN);
}

function difference(slice: Slice, place: number, metric: MetricName): number {
  const own = slice[place]?.values[metric] ?? Number.NaN;
  return own - (slice[0]?.values[metric] ?? Number.NaN);
}

/** Returns the wanted value of each target, and whether the target is reached. */
function judged(spreads: Values<Spread>, targets: Values<number>, suffix = '') {
  return (Object.entries(targets) as [MetricName, number][]).map(([metric, target]) => {
    const value = spreads[metric]?.median ?? Number.NaN;
    const { heading, better } = METRICS[metric];
    // NaN, a missing figure, compares as false: the target is missed.
    const isReached = better === 'more' ? value >= target : value <= target;
    const sign = better === 'more' ? '>=' : '<=';
    return { isReached, what: `${heading}${suffix} ${sign} ${target.toFixed(2)}` };
  });
}

function judge(results: ReturnType<typeof judged>, wrong: number) {
  const reached = results.filter(({ isReached }) => isReached).map(({ what }) => what);
  const missed = results.filter(({ isReached }) => !isReached).map(({ what }) => what);
  if (wrong > 0) missed.push(`${wrong} wrong or duplicate answers`);
  return { reached, missed };
}
