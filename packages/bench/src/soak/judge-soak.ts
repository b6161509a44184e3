import { percentile, slopeOf, type Point } from '../rounds/statistics.js';
import {
  CALL_DEADLINE_MS,
  OUTCOMES,
  type SoakGap,
  type SoakRecords,
  type SoakSample,
} from './soak-records.js';

/** A fault as it happened; times by `Clock.monotonic()`, in milliseconds. */
export interface FeltFault {
  readonly name: string;
  readonly fromMs: number;
  /** Until then calls may be slow or fail because of it. */
  readonly toMs: number;
}

/** What the platform's side of a soak saw; every list is by number of the call, event or command. */
export interface SoakTruth {
  /** How often each call took effect. */
  readonly effects: readonly number[];
  /** When each event left, in milliseconds since the epoch. */
  readonly eventsAtMs: readonly number[];
  readonly commandsAtMs: readonly number[];
  readonly faults: readonly FeltFault[];
  /** Times at which the process of the platform and the line itself got no processor, and shortly after. */
  readonly stalls: readonly FeltFault[];
  /** State of the bot in time; hours since the beginning. */
  readonly samples: readonly { readonly hours: number; readonly sample: SoakSample }[];
  /** State of the bot before it began and after both clients were closed. */
  readonly handles: {
    readonly before: Readonly<Record<string, number>>;
    readonly after: Readonly<Record<string, number>>;
  };
}

export interface SoakFigures {
  readonly calls: number;
  readonly events: number;
  readonly commands: number;
  readonly faults: number;
  readonly heapSlopeMiBPerHour: number;
  /** Once it was warm, and at the end. */
  readonly heapMiB: { readonly first: number; readonly last: number };
  /** False when it did not last long enough to tell. */
  readonly heapIsJudged: boolean;
  /** The fewest open sockets in the second quarter of the time, and in the last. */
  readonly handles: { readonly early: number; readonly late: number; readonly leftOver: number };
  /** How long this machine was too busy for figures of time, in seconds. */
  readonly stalledSeconds: number;
  /** Of calls that no fault was near, nor such a time, in milliseconds. */
  readonly calmP50Ms: number;
  readonly calmP99Ms: number;
  readonly slowestMs: number;
  readonly unsettled: number;
  readonly doubled: number;
  readonly lost: number;
  /** Calls that may have taken effect, and said so. */
  readonly unknown: number;
  readonly recovered: number;
  /** Events and commands inside a gap that was reported, and not recovered. */
  readonly inGaps: number;
  readonly gaps: number;
  readonly failures: SoakRecords['failures'];
  readonly breaches: readonly string[];
}

/** What a soak must keep to. */
const LIMITS = {
  heapSlopeMiBPerHour: 1,
  /**
   * So much is no growth, in MiB: garbage and compiled code come and go, and the ids of the last
   * 20,000 commands and messages take their place by and by.
   */
  heapNoiseMiB: 2,
  calmP99Ms: 250,
  /** Over the deadline of a call; an event loop on a busy machine can be late. */
  overdueMs: 1_000,
  /** So many more sockets late than early. */
  handleGrowth: 4,
} as const;

/** Clocks and frames on their way make the edges of a gap this soft, in milliseconds. */
const GAP_EDGE_MS = 250;

const OPEN = OUTCOMES.indexOf('open');
const DONE = OUTCOMES.indexOf('done');
const NOT_DONE = OUTCOMES.indexOf('not done');

export function judgeSoak(records: SoakRecords, truth: SoakTruth): SoakFigures {
  const { outcomes, tookMs } = records;
  const calls = judgeCalls(records, truth);
  const events = judgeDelivery(records.events, truth.eventsAtMs, records.gaps);
  const commands = judgeDelivery(records.commands, truth.commandsAtMs, records.gaps);
  const calm = calmTimes(records, [...truth.faults, ...truth.stalls]);
  const heap = judgeHeap(truth.samples);
  const figures = {
    calls: outcomes.length,
    events: truth.eventsAtMs.length,
    commands: truth.commandsAtMs.length,
    faults: truth.faults.length,
    heapSlopeMiBPerHour: heap.slope,
    heapMiB: { first: heap.first, last: heap.last },
    heapIsJudged: heap.isJudged,
    handles: judgeHandles(truth),
    stalledSeconds: truth.stalls.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1_000,
    calmP50Ms: percentile(calm, 0.5),
    calmP99Ms: percentile(calm, 0.99),
    slowestMs: tookMs.reduce((slowest, ms) => Math.max(slowest, ms), 0),
    unsettled: outcomes.filter((outcome) => outcome === OPEN).length,
    doubled: calls.doubled + events.doubled + commands.doubled,
    lost: calls.lost + events.lost + commands.lost,
    unknown: calls.unknown,
    recovered: records.recovered,
    inGaps: events.inGaps + commands.inGaps,
    gaps: records.gaps.length,
    failures: records.failures,
  };
  return { ...figures, breaches: [...breachesOf(figures, heap), ...records.strays] };
}

/** Even calls send a message each: every effect must be one that the call told of, or left open. */
function judgeCalls({ outcomes }: SoakRecords, { effects }: SoakTruth) {
  let doubled = 0;
  let lost = 0;
  let unknown = 0;
  for (let index = 0; index < outcomes.length; index += 2) {
    const count = effects[index] ?? 0;
    const outcome = outcomes[index];
    if (count > 1) doubled += 1;
    if (outcome === DONE && count === 0) lost += 1;
    // Told as not done, and done: whoever calls again does it twice.
    else if (outcome === NOT_DONE && count > 0) doubled += 1;
    else if (outcome !== DONE && outcome !== NOT_DONE) unknown += 1;
  }
  return { doubled, lost, unknown };
}

function judgeDelivery(
  received: readonly number[],
  sentAtMs: readonly number[],
  gaps: readonly SoakGap[],
) {
  let doubled = 0;
  let lost = 0;
  let inGaps = 0;
  for (const [index, atMs] of sentAtMs.entries()) {
    const count = received[index] ?? 0;
    if (count > 1) doubled += 1;
    if (count > 0) continue;
    const isInGap = gaps.some(
      ({ fromMs, toMs }) => atMs >= fromMs - GAP_EDGE_MS && atMs <= toMs + GAP_EDGE_MS,
    );
    if (isInGap) inGaps += 1;
    else lost += 1;
  }
  return { doubled, lost, inGaps };
}

/** How long calls took that no fault was near, sorted. */
function calmTimes(
  { startedAtMs, tookMs, outcomes }: SoakRecords,
  faults: readonly FeltFault[],
): number[] {
  const isCalm = (fromMs: number, toMs: number): boolean =>
    !faults.some((fault) => fromMs < fault.toMs && toMs > fault.fromMs);
  return tookMs
    .filter((ms, index) => {
      const startMs = startedAtMs[index] ?? 0;
      return outcomes[index] !== OPEN && isCalm(startMs, startMs + ms);
    })
    .toSorted((a, b) => a - b);
}

/** Until then code is being compiled, and pools and caches are being filled; in hours. */
const WARM_UP_HOURS = 1 / 6;

function judgeHeap(samples: SoakTruth['samples']) {
  const lastsHours = samples.at(-1)?.hours ?? 0;
  const warmHours = Math.min(WARM_UP_HOURS, lastsHours / 2);
  const points: Point[] = samples
    .filter(({ hours }) => hours >= warmHours)
    .map(({ hours, sample }) => ({ x: hours, y: sample.heapMiB }));
  return {
    slope: slopeOf(points),
    first: points[0]?.y ?? Number.NaN,
    last: points.at(-1)?.y ?? Number.NaN,
    hours: lastsHours - warmHours,
    // Of less time than the warm-up itself takes, a slope says nothing.
    isJudged: lastsHours >= 2 * WARM_UP_HOURS,
  };
}

const total = (handles: Readonly<Record<string, number>>): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);

function judgeHandles({ samples, handles }: SoakTruth) {
  const counts = samples.map(({ sample }) => total(sample.handles));
  const quarter = Math.ceil(counts.length / 4);
  // The fewest: what is never closed lifts them too, and a moment with many calls at once does not.
  return {
    early: Math.min(...counts.slice(quarter, 2 * quarter)),
    late: Math.min(...counts.slice(-quarter)),
    leftOver: total(handles.after) - total(handles.before),
  };
}

type Judged = Omit<SoakFigures, 'breaches'>;

function breachesOf(figures: Judged, heap: ReturnType<typeof judgeHeap>): string[] {
  const breaches: string[] = [];
  const must = (kept: boolean, breach: string): void => void (kept || breaches.push(breach));
  const growthMiB = heap.slope * heap.hours;
  must(figures.unsettled === 0, `${figures.unsettled} calls never ended`);
  must(figures.doubled === 0, `${figures.doubled} effects or events came twice`);
  must(figures.lost === 0, `${figures.lost} effects or events were lost without a word`);
  must(
    figures.slowestMs <= CALL_DEADLINE_MS + LIMITS.overdueMs,
    `a call took ${Math.round(figures.slowestMs)} ms, over its deadline`,
  );
  must(
    !heap.isJudged || heap.slope <= LIMITS.heapSlopeMiBPerHour || growthMiB <= LIMITS.heapNoiseMiB,
    `the heap grows by ${heap.slope.toFixed(1)} MiB/h`,
  );
  must(
    !(figures.calmP99Ms > LIMITS.calmP99Ms),
    `p99 without a fault is ${Math.round(figures.calmP99Ms)} ms`,
  );
  const { early, late, leftOver } = figures.handles;
  must(late <= early + LIMITS.handleGrowth, `handles grew from ${early} to ${late}`);
  must(leftOver <= 0, `${leftOver} handles were left after closing`);
  return breaches;
}
