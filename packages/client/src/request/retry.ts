import type { RetryClass } from '@virgule/core/protocol';
import type { Call } from './call.js';

/** How often a request that may have been sent is tried in all. Waiting out a rate limit is not a try. */
const MAX_TRIES = 3;

/**
 * Up to this much is added to a wait that the server asked for, so that not all clients come back at
 * once; to a short one no more than a tenth of it.
 */
const LIMIT_JITTER_MS = 250;
const LIMIT_JITTER_SHARE = 0.1;

/** Assumed when a 429 states no wait, in milliseconds. */
const ABSENT_WAIT_MS = 5_000;

/** The shortest wait, in milliseconds: "0" would become a hot loop. */
const MIN_WAIT_MS = 1_000;

/** Returns whether it is safe to make the request a second time, whatever happened to the first. */
export function isRepeatHarmless(retry: RetryClass): boolean {
  return retry === 'safe' || retry === 'repeatable';
}

/** The part of a call that decides whether it is tried again. */
type FailedCall = Pick<Call, 'maybeSent' | 'sentTries'> & {
  readonly plan: { readonly retry: RetryClass };
};

/**
 * Whether a failed try may be followed by another. What was provably not sent is tried until the call's
 * deadline, and so is what can be repeated without harm while the platform says that it is away.
 */
export function mayTryAgain({ plan, maybeSent, sentTries }: FailedCall, isAway: boolean): boolean {
  if (!maybeSent) return true;
  return isRepeatHarmless(plan.retry) && (isAway || sentTries < MAX_TRIES);
}

/** Returns what is added to a wait that the server asked for, in milliseconds. */
export function limitJitterMs(waitMs: number, random: () => number): number {
  return random() * Math.min(LIMIT_JITTER_MS, LIMIT_JITTER_SHARE * waitMs);
}

/**
 * Returns how long to wait after a number of failures in a row, in milliseconds: anywhere between 0 and the doubled
 * `baseMs`, up to `capMs`, so that many clients that failed together do not come back together.
 */
export function fullJitter(
  failuresBefore: number,
  random: () => number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
): number {
  return random() * Math.min(capMs, baseMs * 2 ** failuresBefore);
}

/**
 * Returns how long a server asks to wait, in milliseconds: the longer one of the `Retry-After` header and the
 * body's `retryAfterSeconds`, or `undefined` when neither states a time. Both are stated as whole seconds (Bot
 * Interface, "Limits"); decimals are read too, and in the header a date, which counts from `date`, the header of
 * the same response.
 */
export function statedWaitMs(
  header: unknown,
  date: unknown,
  bodySeconds?: unknown,
): number | undefined {
  const inHeaderMs = secondsMs(header) ?? untilMs(header, date);
  const inBodyMs = secondsMs(bodySeconds);
  if (inHeaderMs === undefined || inBodyMs === undefined) return inHeaderMs ?? inBodyMs;
  return Math.max(inHeaderMs, inBodyMs);
}

/** Returns how long a route is paused after a 429 that states this wait, in milliseconds. */
export function limitWaitMs(statedMs: number | undefined): number {
  return statedMs === undefined ? ABSENT_WAIT_MS : Math.max(MIN_WAIT_MS, statedMs);
}

function secondsMs(value: unknown): number | undefined {
  if (Array.isArray(value)) return secondsMs(value[0]);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*-?\d{1,10}(\.\d{1,9})?\s*$/.test(text)) return undefined;
  // Less than 0 is a time that has passed, as a date can be.
  return Math.max(0, Math.ceil(Number(text) * 1_000));
}

function untilMs(header: unknown, date: unknown): number | undefined {
  // Date.parse alone accepts nearly anything: "-3" is a day in 2001.
  if (typeof header !== 'string' || !/^\s*[a-z]{3,9},/i.test(header)) return undefined;
  const waitMs = Date.parse(header) - Date.parse(String(date));
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
