/** Outcomes of calls. Index 0 is for calls that have not completed. */
export const OUTCOMES = ['open', 'done', 'unknown', 'not-done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The records of the bot; the index of each list is the number of the call, event or command. */
export interface SoakRecords {
  /** Outcome of each call, as an index of `OUTCOMES`. */
  readonly outcomes: readonly number[];
  /** Start time of each call by `Clock.monotonic()`, in milliseconds. */
  readonly startedAtMs: readonly number[];
  readonly tookMs: readonly number[];
  /** Number of times each event was dispatched. */
  readonly events: readonly number[];
  /** Number of times each command was dispatched. */
  readonly commands: readonly number[];
  /** Number of events that were backfilled. */
  readonly recovered: number;
  readonly gaps: readonly SoakGap[];
  /** Number of failed calls by error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** Errors without a code, and unhandled rejections. */
  readonly unexpected: readonly string[];
}

/** A gap that the gateway reported, in milliseconds since the epoch. */
export interface SoakGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: string;
}

/** A sample of the bot's process. */
export interface SoakSample {
  /** Used heap after a garbage collection. */
  readonly heapMiB: number;
  /** Open handles, by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** Returns the maximum number of items in a test of this duration, with a margin for a late stop. */
export const capacityFor = (minutes: number, perSecond: number): number =>
  Math.ceil((minutes * 60 + 120) * perSecond);

/** Number of calls and events per second. */
export const CALLS_PER_SECOND = 40;
export const EVENTS_PER_SECOND = 40;
/** Each command is one more event and one more call. */
export const COMMANDS_PER_SECOND = 10;

/** Deadline of a call, in milliseconds. */
export const CALL_DEADLINE_MS = 30_000;

/** Prefixes of the numbers in messages and commands. */
export const PREFIX = {
  call: 'call ',
  event: 'event ',
  command: '/soak ',
  answer: 'answer ',
} as const;

/** Returns the number after a prefix; `undefined` if the text does not start with it. */
export function numberIn(text: unknown, prefix: string): number | undefined {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return undefined;
  return Number(text.slice(prefix.length));
}
