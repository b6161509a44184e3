import { LIMIT_JITTER_MS } from '@virgule/core/clock';
import type { RetryClass } from '@virgule/core/protocol';
import type { Call } from './call.js';

/** Maximum number of tries of a request that may have been sent. A wait for a rate limit is not a try. */
const MAX_TRIES = 3;

/**
 * Maximum random time added to a wait that the server asked for, as a share of the wait, so that not all clients return
 * at the same moment.
 */
const LIMIT_JITTER_SHARE = 0.1;

/** Wait after a 429 that states none, in milliseconds (assumed). */
const ABSENT_WAIT_MS = 5_000;

/** Shortest wait, in milliseconds: `Retry-After: 0` would cause a hot loop. */
const MIN_WAIT_MS = 1_000;

/** Returns true if a second request is safe, whatever happened to the first request. */
export function isRepeatHarmless(retry: RetryClass): boolean {
  return retry === 'safe' || retry === 'repeatable';
}

/** Part of a call that decides about another try. */
type FailedCall = Pick<Call, 'maybeSent' | 'sentTries'> & {
  readonly plan: { readonly retry: RetryClass };
};

/**
 * Returns true if another try may follow a failed try. A request that was certainly not sent is tried until the deadline
 * of the call. A request that is harmless to repeat is tried as long during an outage of the platform.
 */
export function mayTryAgain({ plan, maybeSent, sentTries }: FailedCall, isAway: boolean): boolean {
  if (!maybeSent) return true;
  return isRepeatHarmless(plan.retry) && (isAway || sentTries < MAX_TRIES);
}

/** Returns the random time to add to a wait that the server asked for, in milliseconds. */
export function limitJitterMs(waitMs: number, random: () => number): number {
  return random() * Math.min(LIMIT_JITTER_MS, LIMIT_JITTER_SHARE * waitMs);
}

/**
 * Returns the wait after a number of failures in a row, in milliseconds: random between 0 and `baseMs`, which doubles
 * with each failure up to `capMs`. Many clients that failed at the same moment so do not return at the same moment.
 */
export function fullJitter(
  failuresBefore: number,
  random: () => number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
): number {
  return random() * Math.min(capMs, baseMs * 2 ** failuresBefore);
}

/**
 * Returns the wait that a server asks for, in milliseconds: the longer time of the `Retry-After` header and the body's
 * `retryAfterSeconds`, or `undefined` without both. Both are stated as whole seconds (Bot Interface, "Limits").
 * Decimals are read too, and in the header also a date, relative to the `date` header of the same response.
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

/** Returns the pause of a route after a 429 that states this wait, in milliseconds. */
export function limitWaitMs(statedMs: number | undefined): number {
  return statedMs === undefined ? ABSENT_WAIT_MS : Math.max(MIN_WAIT_MS, statedMs);
}

function secondsMs(value: unknown): number | undefined {
  if (Array.isArray(value)) return secondsMs(value[0]);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*-?\d{1,10}(\.\d{1,9})?\s*$/.test(text)) return undefined;
  // A negative time has passed, as a date can have.
  return Math.max(0, Math.ceil(Number(text) * 1_000));
}

function untilMs(header: unknown, date: unknown): number | undefined {
  // Date.parse alone accepts nearly anything: "-3" is a day in 2001.
  if (typeof header !== 'string' || !/^\s*[a-z]{3,9},/i.test(header)) return undefined;
  const waitMs = Date.parse(header) - Date.parse(String(date));
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
