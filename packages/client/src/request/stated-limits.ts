import { LIMIT_JITTER_MS } from '@virgule/core/clock';
import { RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { ExchangeResult } from './exchange.js';

type Answer = Pick<ExchangeResult, 'header'>;

const RETRY_AFTER = RATE_LIMIT_HEADERS.retryAfterSeconds;

/** Maximum random part of a stated wait, as a share of it: not all clients must return at once. */
const LIMIT_JITTER_SHARE = 0.1;

/** Wait after a 429 that states none, in milliseconds (assumed). */
const ABSENT_WAIT_MS = 5_000;

/** Shortest wait, in milliseconds: `Retry-After: 0` would cause a hot loop. */
const MIN_WAIT_MS = 1_000;

/** Returns the random time to add to a wait that the server asked for, in milliseconds. */
export const limitJitterMs = (waitMs: number, random: () => number): number =>
  random() * Math.min(LIMIT_JITTER_MS, LIMIT_JITTER_SHARE * waitMs);

/**
 * Returns the wait that a server asks for, in milliseconds: the longer of the `Retry-After` header and the body's
 * `retryAfterSeconds` (Bot Interface, "Limits"), `undefined` without both. Decimals are read too, and in the header a date,
 * relative to the `date` header.
 */
export function statedWaitMs(header: unknown, date: unknown, bodySeconds?: unknown) {
  const inHeaderMs = secondsMs(header) ?? untilMs(header, date);
  const inBodyMs = secondsMs(bodySeconds);
  if (inHeaderMs === undefined || inBodyMs === undefined) return inHeaderMs ?? inBodyMs;
  return Math.max(inHeaderMs, inBodyMs);
}

/** Returns what a 429 asks for; `bodySeconds` is the wait in its body. */
export function readLimit(answer: Answer, bodySeconds: unknown, random: () => number) {
  const statedMs = statedWaitMs(answer.header(RETRY_AFTER), answer.header('date'), bodySeconds);
  const stated = statedMs !== undefined;
  const retryAfterMs = stated ? Math.max(MIN_WAIT_MS, statedMs) : ABSENT_WAIT_MS;
  // The other two headers are not read: the unit of `X-RateLimit-Reset` is not stated.
  const [, limit = 0] =
    /^\s*(\d{1,9})\s*$/.exec(answer.header(RATE_LIMIT_HEADERS.limit) ?? '') ?? [];
  const jitterMs = limitJitterMs(retryAfterMs, random);
  return { retryAfterMs, stated, limit: Number(limit) || undefined, jitterMs };
}

/** Returns the headers of a 429 that are set, as numbers. */
export function limitHeaders(answer: Answer) {
  const headers = Object.values(RATE_LIMIT_HEADERS).map((name) => [name, answer.header(name)]);
  const set = headers.flatMap(([name, value]) => (value ? [[name, Number(value)]] : []));
  return Object.fromEntries(set);
}

/** Returns the wait that a response other than a 429 asks for, with jitter, in milliseconds; 0 for none. */
export function askedWaitMs(answer: Answer, random: () => number): number {
  const askedMs = statedWaitMs(answer.header(RETRY_AFTER), answer.header('date')) ?? 0;
  return askedMs + limitJitterMs(askedMs, random);
}

function secondsMs(value: unknown): number | undefined {
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
