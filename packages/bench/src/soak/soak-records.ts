/** How a call ended. 0 is kept for one that has not. */
export const OUTCOMES = ['open', 'done', 'unknown', 'not done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What the bot of a soak tells at the end; every list is by number of the call, event or command. */
export interface SoakRecords {
  /** Outcome of each call, as an index of `OUTCOMES`. */
  readonly outcomes: readonly number[];
  /** When each call began: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly startedAtMs: readonly number[];
  readonly tookMs: readonly number[];
  /** How often each event was handed over. */
  readonly events: readonly number[];
  /** How often each command was handed over. */
  readonly commands: readonly number[];
  /** Events that came by reading back. */
  readonly recovered: number;
  readonly gaps: readonly SoakGap[];
  /** Calls that failed, by the code of their error. */
  readonly failures: Readonly<Record<string, number>>;
  /** Errors that are none of ours, and promises whose rejection nobody took. */
  readonly strays: readonly string[];
}

/** A time that the gateway reported to have missed, in milliseconds since the epoch. */
export interface SoakGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: string;
}

/** State of the bot's process at one time. */
export interface SoakSample {
  /** After a collection of garbage. */
  readonly heapMiB: number;
  /** Sockets and the like that are open, by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** How many of each there can be at most in a soak of this length, with room for a late stop. */
export const roomFor = (minutes: number, perSecond: number): number =>
  Math.ceil((minutes * 60 + 120) * perSecond);

/** Calls and events per second. */
export const CALLS_PER_SECOND = 40;
export const EVENTS_PER_SECOND = 40;
/** Each is one event and one call more. */
export const COMMANDS_PER_SECOND = 10;

/** Time for one call, in milliseconds. */
export const CALL_DEADLINE_MS = 30_000;

/** What the texts of a soak begin with, before their number. */
export const PREFIX = {
  call: 'call ',
  event: 'event ',
  command: '/soak ',
  answer: 'answer ',
} as const;

/** The number in a text that begins so; `undefined` when it does not. */
export function numberIn(text: unknown, prefix: string): number | undefined {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return undefined;
  return Number(text.slice(prefix.length));
}
