import { percentile, slopeOf, type Point } from '../rounds/statistics.js';
import {
  CALL_DEADLINE_MS,
  OUTCOMES,
  type SoakGap,
  type SoakRecords,
  type SoakSample,
} from './soak-records.js';

/** The time in which a fault has an effect, by `Clock.monotonic()`, in milliseconds. */
export interface FaultWindow {
  readonly name: string;
  readonly fromMs: number;
  /** End of the effect: until then, calls may be slow or fail. */
  readonly toMs: number;
}

/** Observations of the platform; the index of each list is the number of the call, event or command. */
export interface PlatformRecords {
  /** Number of times each call took effect. */
  readonly effects: readonly number[];
  /** Time when each event was sent, in milliseconds since the epoch. */
  readonly eventsAtMs: readonly number[];
  readonly commandsAtMs: readonly number[];
  readonly faults: readonly FaultWindow[];
  /** Times in which the event loop of the platform and the proxy was blocked, and shortly after. */
  readonly stalls: readonly FaultWindow[];
  /** Samples of the bot's process; hours since the start. */
  readonly samples: readonly { readonly hours: number; readonly sample: SoakSample }[];
  /** Open handles of the bot's process before it started and after both clients were closed. */
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
  /** After the warm-up, and at the end. */
  readonly heapMiB: { readonly first: number; readonly last: number };
  /** `true` if the test was long enough to judge the heap. */
  readonly heapIsJudged: boolean;
  /** Minimum number of open handles in the second quarter of the time and in the last, and the number after close. */
  readonly handles: { readonly early: number; readonly late: number; readonly leaked: number };
  /** Time in which the machine was overloaded, in seconds. */
  readonly stalledSeconds: number;
  /** Latency of calls outside of faults and stalls, in milliseconds. */
  readonly calmP50Ms: number;
  readonly calmP99Ms: number;
  readonly slowestMs: number;
  readonly unsettled: number;
  readonly doubled: number;
  readonly lost: number;
  /** Number of calls whose outcome was reported as unknown. */
  readonly unknown: number;
  readonly recovered: number;
  /** Number of events and commands in reported gaps that were not recovered. */
  readonly inGaps: number;
  readonly gaps: number;
  readonly failures: SoakRecords['failures'];
  readonly breaches: readonly string[];
}

/** Requirements of a soak test. */
const LIMITS = {
  heapSlopeMiBPerHour: 1,
  /**
   * Growth that is not significant, in MiB: garbage and compiled code vary, and the ids of the last
   * 20,000 commands and messages accumulate slowly.
   */
  heapNoiseMiB: 2,
  calmP99Ms: 250,
  /** Tolerance for the deadline of a call, because an event loop on a busy machine can be late. */
  overdueMs: 1_000,
  /** Tolerated increase of open handles. */
  handleGrowth: 4,
} as const;

/** Tolerance at the edges of a gap for clocks and frames in flight, in milliseconds. */
const GAP_EDGE_MS = 250;

const OPEN = OUTCOMES.indexOf('open');
const DONE = OUTCOMES.indexOf('done');
const NOT_DONE = OUTCOMES.indexOf('not-done');

/** Compares the records of the bot and the platform with the requirements. */
export function judgeSoak(records: SoakRecords, truth: PlatformRecords): SoakFigures {
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
  return { ...figures, breaches: [...breachesOf(figures, heap), ...records.unexpected] };
}

/** Compares outcomes with effects. Every even call sends a message: its outcome must match the effect, or be unknown. */
function judgeCalls({ outcomes }: SoakRecords, { effects }: PlatformRecords) {
  let doubled = 0;
  let lost = 0;
  let unknown = 0;
  for (let index = 0; index < outcomes.length; index += 2) {
    const count = effects[index] ?? 0;
    const outcome = outcomes[index];
    if (count > 1) doubled += 1;
    if (outcome === DONE && count === 0) lost += 1;
    // Reported as not done, but done: a retry would do it twice.
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

/** Returns the sorted durations of calls outside of faults. */
function calmTimes(
  { startedAtMs, tookMs, outcomes }: SoakRecords,
  faults: readonly FaultWindow[],
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

/** Time in which code is compiled and pools and caches are filled, in hours. */
const WARM_UP_HOURS = 1 / 6;

function judgeHeap(samples: PlatformRecords['samples']) {
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
    // A slope over less time than the warm-up is not meaningful.
    isJudged: lastsHours >= 2 * WARM_UP_HOURS,
  };
}

const total = (handles: Readonly<Record<string, number>>): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);

function judgeHandles({ samples, handles }: PlatformRecords) {
  const counts = samples.map(({ sample }) => total(sample.handles));
  const quarter = Math.ceil(counts.length / 4);
  // The minimum: leaked handles raise it, a moment with many concurrent calls does not.
  return {
    early: Math.min(...counts.slice(quarter, 2 * quarter)),
    late: Math.min(...counts.slice(-quarter)),
    leaked: total(handles.after) - total(handles.before),
  };
}

type Judged = Omit<SoakFigures, 'breaches'>;

function breachesOf(figures: Judged, heap: ReturnType<typeof judgeHeap>): string[] {
  const breaches: string[] = [];
  const must = (kept: boolean, breach: string): void => void (kept || breaches.push(breach));
  const growthMiB = heap.slope * heap.hours;
  must(figures.unsettled === 0, `calls not completed: ${figures.unsettled}`);
  must(figures.doubled === 0, `duplicated effects or events: ${figures.doubled}`);
  must(figures.lost === 0, `effects or events lost without a report: ${figures.lost}`);
  must(
    figures.slowestMs <= CALL_DEADLINE_MS + LIMITS.overdueMs,
    `a call took ${Math.round(figures.slowestMs)} ms, longer than its deadline`,
  );
  must(
    !heap.isJudged || heap.slope <= LIMITS.heapSlopeMiBPerHour || growthMiB <= LIMITS.heapNoiseMiB,
    `the heap grows by ${heap.slope.toFixed(1)} MiB/h`,
  );
  must(
    !(figures.calmP99Ms > LIMITS.calmP99Ms),
    `p99 latency without faults is ${Math.round(figures.calmP99Ms)} ms`,
  );
  const { early, late, leaked } = figures.handles;
  must(late <= early + LIMITS.handleGrowth, `open handles increased from ${early} to ${late}`);
  must(leaked <= 0, `handles open after close: ${leaked}`);
  return breaches;
}
