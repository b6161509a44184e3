import {
  beginLearning,
  isGuess,
  MOST_AT_ONCE,
  type Bucket,
  type Learned,
  type Stake,
} from './bucket.js';
import type { RateHeaders } from './rate-headers.js';

/** A 429 as the limiter needs it. */
export interface LimitedAnswer {
  /** How long to leave the bucket alone, in milliseconds. */
  readonly retryAfterMs: number;
  /** Whether the answer said so itself. */
  readonly stated: boolean;
  readonly headers: RateHeaders;
  /** Added to the wait, so that not all clients come back at once. */
  readonly jitterMs: number;
}

/** A pause that nobody stated grows up to this, a window is believed up to this. */
export const LONGEST_GUESS_MS = 60_000;

/** No pause is longer, whatever was stated: after it one request asks again. */
const LONGEST_PAUSE_MS = 3_600_000;

/** `Retry-After` is rounded up to whole seconds. */
const ROUNDING_MS = 1_000;

/** So many windows in a row have to agree before their count is taken for a limit. */
const SIGHTINGS = 3;

/** They agree when they differ by no more than this share of the largest. */
const SIGHTING_SPREAD = 0.1;

/** Longer logs are not kept: such a limit is left to `Remaining` and to the pauses. */
const LONGEST_LOG = 1_000;

/** The platform took the request: with anything but a 429. */
export function noteAccepted(
  { bucket, epoch, updates }: Stake,
  headers: RateHeaders,
  nowMs: number,
): void {
  bucket.accepted += 1;
  if (!bucket.learned && (headers.limit === undefined || headers.remaining === undefined)) return;
  const learned = bucket.learned ?? beginLearning(bucket, nowMs);
  if (headers.limit !== undefined) believeHeader(learned, headers.limit);
  // Only a request that was sent after the last update is sure to have been counted after it.
  const newer = updates >= learned.remainingSetAt;
  if (headers.remaining !== undefined) {
    if (newer || headers.remaining < learned.remaining) {
      bucket.updates += 1;
      learned.remaining = headers.remaining;
      learned.remainingSetAt = bucket.updates;
    }
  } else {
    learned.remaining -= 1;
  }
  // Sent before the 429 came, and counted before it: it belongs to the window that is over.
  if (learned.phase === 'paused') return;
  // One more than the limit went through: there is none, and what looked like it had another cause.
  if (learned.statedLimit === undefined && isUsedUp(learned)) forgetLimit(learned);
  remember(learned, nowMs);
  // Several limits may have been taken for one: what one of them has left, another has not.
  if (newer && !isGuess(bucket)) forgetBeyond(learned, headers.remaining);
  if (epoch !== bucket.epoch) return;
  learned.silent = 0;
  learned.phase = 'flowing';
  const growth = learned.atOnce < learned.threshold ? 1 : 1 / learned.atOnce;
  learned.atOnce = Math.min(MOST_AT_ONCE, learned.atOnce + growth);
  if (learned.statedLimit !== undefined) tryHigher(learned, learned.statedLimit);
}

/** The request may have been counted, and nobody says so: to be on the safe side it was. */
export function noteLost({ bucket }: Stake, nowMs: number): void {
  const { learned } = bucket;
  bucket.lost += 1;
  if (!learned || learned.phase === 'paused') return;
  learned.remaining -= 1;
  remember(learned, nowMs);
}

/** A 429. */
export function noteLimited(
  { bucket, epoch, sentAtMs }: Stake,
  { retryAfterMs, stated, headers, jitterMs }: LimitedAnswer,
  nowMs: number,
): Learned {
  const learned = bucket.learned ?? beginLearning(bucket, nowMs);
  const first = epoch === bucket.epoch || learned.phase !== 'paused';
  if (first && !stated) learned.silent += 1;
  const waitMs = stated
    ? Math.min(retryAfterMs, LONGEST_PAUSE_MS)
    : Math.min(retryAfterMs * 2 ** Math.max(0, learned.silent - 1), LONGEST_GUESS_MS);
  const untilMs = nowMs + waitMs + jitterMs;
  const onTheWay = bucket.fresh + 1;
  learned.limited += 1;
  learned.limitedAtMs = nowMs;
  learned.acceptedAtLimit = 0;
  if (stated) learnWindow(learned, sentAtMs + waitMs - ROUNDING_MS, nowMs + waitMs);
  else learned.boundaryMs = undefined;
  if (!first) {
    // Sent before the pause began: it says when the pause ends, and nothing new.
    learned.pausedUntilMs = Math.max(learned.pausedUntilMs, untilMs);
    return learned;
  }
  learned.pauses += 1;
  if (headers.limit !== undefined) believeHeader(learned, headers.limit);
  bucket.epoch += 1;
  bucket.fresh = 0;
  learned.phase = 'paused';
  learned.pausedUntilMs = untilMs;
  learned.threshold = Math.max(1, Math.floor(Math.min(learned.atOnce, onTheWay) / 2));
  learned.atOnce = 1;
  learned.refutedRoute = false;
  learned.refutedGlobal = false;
  return learned;
}

/** When the window ends by a `X-RateLimit-Reset` whose unit is sure. */
export function noteReset(bucket: Bucket, resetAtMs: number): void {
  if (bucket.learned) bucket.learned.resetAtMs = resetAtMs;
}

function remember({ log, limit }: Learned, nowMs: number): void {
  if (limit === undefined || limit > LONGEST_LOG) return;
  log.push(nowMs);
  if (log.length > limit) log.shift();
}

function isUsedUp({ limit, log }: Learned): boolean {
  return limit !== undefined && log.length >= limit;
}

/** The platform counts fewer than were remembered: a window has ended in between. */
function forgetBeyond({ log, limit }: Learned, remaining: number | undefined): void {
  if (remaining === undefined || limit === undefined) return;
  log.splice(0, Math.max(0, log.length - Math.max(0, limit - remaining)));
}

function believeHeader(learned: Learned, stated: number): void {
  if (learned.statedLimit === stated) return;
  learned.statedLimit = stated;
  learned.limit = stated;
}

/** The pause is over, and with it a window: all that was accepted in it is known by now. */
export function noteWindow({ accepted, lost }: Bucket, learned: Learned): void {
  const { statedLimit, sightings } = learned;
  // Before the first pause nobody knows when the window began.
  if (learned.pauses < 2) return;
  if (statedLimit !== undefined) {
    // A pioneer that was refused says nothing about how many would have fitted.
    if (accepted > 0) learned.limit = Math.min(accepted, statedLimit);
    return;
  }
  // Kept to, and a 429 came at the one more that was to test it.
  if (isUsedUp(learned)) return;
  // 429s without a word about a limit have other causes too. A limit shows itself by the same count
  // again and again; a pioneer that is refused speaks against one.
  if (!learned.isSighting || accepted === 0) sightings.length = 0;
  else if (lost === 0) sightings.push(accepted);
  if (sightings.length > SIGHTINGS) sightings.shift();
  const most = Math.max(...sightings);
  const least = Math.min(...sightings);
  const agree = sightings.length === SIGHTINGS && most - least <= most * SIGHTING_SPREAD;
  learned.limit = agree ? least : undefined;
}

/** Every 429 ends a window, so two of them are at least one window apart: the least seen is kept. */
function learnWindow(learned: Learned, boundaryMs: number, endsByMs: number): void {
  const before = learned.boundaryMs;
  if (before === undefined || learned.phase !== 'paused') learned.boundaryMs = boundaryMs;
  if (learned.phase === 'paused') return;
  const seenMs = endsByMs - (before ?? Number.NEGATIVE_INFINITY);
  learned.isSighting = seenMs <= LONGEST_GUESS_MS;
  if (!learned.isSighting) return;
  // A 429 in spite of the window that was believed: it is longer than that.
  learned.windowMs =
    learned.windowMs === undefined || learned.log.length < (learned.limit ?? 0)
      ? seenMs
      : Math.min(learned.windowMs, seenMs);
}

function tryHigher(learned: Learned, statedLimit: number): void {
  const { limit = statedLimit } = learned;
  learned.acceptedAtLimit += 1;
  if (limit >= statedLimit || learned.acceptedAtLimit < 2 * limit) return;
  learned.limit = limit + 1;
  learned.acceptedAtLimit = 0;
}

function forgetLimit(learned: Learned): void {
  learned.limit = undefined;
  learned.windowMs = undefined;
  learned.boundaryMs = undefined;
  learned.log = [];
  learned.sightings = [];
  learned.remaining = Number.POSITIVE_INFINITY;
}
