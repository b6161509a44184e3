import { beginLearning, MOST_AT_ONCE, type Bucket, type Learned, type Stake } from './bucket.js';
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
const LONGEST_GUESS_MS = 60_000;

/** No pause is longer, whatever was stated: after it one request asks again. */
const LONGEST_PAUSE_MS = 3_600_000;

/** `Retry-After` is rounded up to whole seconds. */
const ROUNDING_MS = 1_000;

/**
 * Without a 429 for so long, a limit that no header stated is forgotten: a few 429s that had another
 * cause look like one, and would hold the bucket down for good.
 */
const QUIET_MS = 60_000;

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
  if (learned.phase === 'paused') {
    // Sent before the 429 came, and counted before it: the limit is one higher than it seemed.
    if (learned.limit !== undefined && learned.limit < (learned.statedLimit ?? Infinity)) {
      if (epoch < bucket.epoch && bucket.accepted <= learned.limit + 1) learned.limit += 1;
    }
    return;
  }
  remember(learned, nowMs);
  // Several limits may have been taken for one: what one of them has left, another has not.
  if (newer && bucket.scope === 'bucket') forgetBeyond(learned, headers.remaining);
  if (epoch !== bucket.epoch) return;
  learned.silent = 0;
  learned.phase = 'flowing';
  const growth = learned.atOnce < learned.threshold ? 1 : 1 / learned.atOnce;
  learned.atOnce = Math.min(MOST_AT_ONCE, learned.atOnce + growth);
  tryHigher(learned, nowMs);
}

/** The request may have been counted, and nobody says so: to be on the safe side it was. */
export function noteLost({ bucket }: Stake, nowMs: number): void {
  const { learned } = bucket;
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
  const seenLimit = bucket.accepted;
  const onTheWay = bucket.fresh + 1;
  learned.limited += 1;
  learned.limitedAtMs = nowMs;
  learned.acceptedAtLimit = 0;
  if (stated) learnWindow(learned, sentAtMs + waitMs - ROUNDING_MS, nowMs + waitMs);
  if (!first) {
    // Sent before the pause began: it says when the pause ends, and nothing new.
    learned.pausedUntilMs = Math.max(learned.pausedUntilMs, untilMs);
    return learned;
  }
  learned.pauses += 1;
  learnLimit(learned, headers.limit, seenLimit);
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

function learnLimit(learned: Learned, stated: number | undefined, seen: number): void {
  const known = learned.limit;
  if (stated !== undefined && stated !== learned.statedLimit) {
    believeHeader(learned, stated);
    // The first sight of a window that began before this client came says too little.
    if (known === undefined) return;
  }
  // Before the first pause nobody knows when the window began, and a pioneer that was refused says
  // nothing about how many would have fitted.
  if (seen > 0 && learned.pauses > 1) {
    learned.limit = Math.min(seen, learned.statedLimit ?? Infinity);
  }
}

/** Every 429 ends a window, so two of them are at least one window apart: the least seen is kept. */
function learnWindow(learned: Learned, boundaryMs: number, endsByMs: number): void {
  const before = learned.boundaryMs;
  if (before === undefined || learned.phase !== 'paused') learned.boundaryMs = boundaryMs;
  if (before === undefined || learned.phase === 'paused') return;
  const seenMs = endsByMs - before;
  if (seenMs > LONGEST_GUESS_MS) return;
  // A 429 in spite of the window that was believed: it is longer than that.
  learned.windowMs =
    learned.windowMs === undefined || learned.log.length < (learned.limit ?? 0)
      ? seenMs
      : Math.min(learned.windowMs, seenMs);
}

function tryHigher(learned: Learned, nowMs: number): void {
  const { limit, statedLimit } = learned;
  if (limit === undefined) return;
  if (statedLimit === undefined) {
    if (nowMs - learned.limitedAtMs >= QUIET_MS) forgetLimit(learned);
    return;
  }
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
  learned.remaining = Number.POSITIVE_INFINITY;
}
