/** What a bucket covers: one route of one channel (server, interaction), a whole route, or everything. */
export type BucketScope = 'bucket' | 'route' | 'global';

export type BucketPhase =
  /** No 429 is in force: nothing is held back. */
  | 'open'
  /** A 429 asked for a pause: nothing is sent. */
  | 'paused'
  /** The pause is over, and one request goes first. */
  | 'probing'
  /** Requests flow, up to `atOnce` of them at a time. */
  | 'flowing';

/** Requests that are paused together. */
export interface Bucket {
  readonly scope: BucketScope;
  readonly route: string;
  readonly major: string;
  phase: BucketPhase;
  pausedUntilMs: number;
  /** `X-RateLimit-Limit` of the last 429. */
  limit: number | undefined;
  /** Requests that may be in flight at once: 1 after a pause, one more with each success. */
  atOnce: number;
  inFlight: number;
  /** A round begins at the end of each pause. */
  round: number;
  /** Requests of this round that are in flight. */
  fresh: number;
  /** Requests that were accepted or lost in this round, or are in flight and belong to it. */
  used: number;
  /** 429s in a row that stated no wait. */
  silent: number;
  /** 429s in all. */
  limited: number;
  /** When the last pause began. */
  limitedAtMs: number;
}

/** One request's place in a bucket. */
export interface Place {
  readonly bucket: Bucket;
  readonly round: number;
}

/** A 429 as the limiter needs it. */
export interface LimitedAnswer {
  /** The wait: what the answer states, or what is assumed when it states none. In milliseconds. */
  readonly retryAfterMs: number;
  /** Whether the answer states it. */
  readonly stated: boolean;
  /** `X-RateLimit-Limit`, 1 or more. */
  readonly limit?: number | undefined;
  /** Added to the wait, in milliseconds. */
  readonly jitterMs: number;
}

/** May a request go: yes, not before another one is answered, or not before a time in milliseconds. */
export type Admission = 'go' | 'busy' | number;

/** With this many at once a bucket counts as recovered. */
const RECOVERED_AT_ONCE = 32;

/** A wait that no answer states doubles up to this. */
const MAX_ASSUMED_PAUSE_MS = 60_000;

/** No pause is longer, whatever was stated: after it one request asks again. */
const MAX_PAUSE_MS = 3_600_000;

export function createBucket(scope: BucketScope, route: string, major: string): Bucket {
  return {
    scope,
    route,
    major,
    phase: 'open',
    pausedUntilMs: Number.NEGATIVE_INFINITY,
    limit: undefined,
    atOnce: 1,
    inFlight: 0,
    round: 0,
    fresh: 0,
    used: 0,
    silent: 0,
    limited: 0,
    limitedAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** Whether one more request may go now. */
export function admit(bucket: Bucket, nowMs: number): Admission {
  if (bucket.phase === 'open') return 'go';
  passTime(bucket, nowMs);
  if (bucket.phase === 'paused') return bucket.pausedUntilMs;
  const { limit = Number.POSITIVE_INFINITY, fresh, atOnce, used } = bucket;
  // The one more shows whether the limit still holds: its 429 states how long to wait for the next window.
  return fresh === 0 || (fresh < atOnce && used <= limit) ? 'go' : 'busy';
}

/** A request goes. */
export function enter(bucket: Bucket, nowMs: number): Place {
  passTime(bucket, nowMs);
  bucket.inFlight += 1;
  bucket.fresh += 1;
  bucket.used += 1;
  return { bucket, round: bucket.round };
}

/** The request is over. What became of it is noted separately. */
export function leave({ bucket, round }: Place): void {
  bucket.inFlight -= 1;
  if (round === bucket.round) bucket.fresh -= 1;
}

/** It never left this machine. */
export function noteUnsent({ bucket, round }: Place): void {
  if (round === bucket.round) bucket.used -= 1;
}

/** No answer says whether it arrived: to be on the safe side it counts as accepted. */
export function noteLost({ bucket, round }: Place): void {
  if (round === bucket.round) dropRefutedLimit(bucket);
  else bucket.used += 1;
}

/** The platform answered with anything but a 429. */
export function noteAccepted({ bucket, round }: Place): void {
  if (round !== bucket.round) {
    // It was sent before the pause, and may have been counted after it.
    bucket.used += 1;
    return;
  }
  if (bucket.phase === 'open' || bucket.phase === 'paused') return;
  bucket.silent = 0;
  bucket.phase = 'flowing';
  bucket.atOnce += 1;
  dropRefutedLimit(bucket);
  if (bucket.limit === undefined && bucket.atOnce >= RECOVERED_AT_ONCE) bucket.phase = 'open';
}

/** The platform answered 429. */
export function noteLimited(
  { bucket, round }: Place,
  { retryAfterMs, stated, limit, jitterMs }: LimitedAnswer,
  nowMs: number,
): void {
  passTime(bucket, nowMs);
  const isFirst = bucket.phase !== 'paused';
  if (round === bucket.round) bucket.used -= 1;
  if (isFirst && !stated) bucket.silent += 1;
  const waitMs = stated
    ? Math.min(retryAfterMs, MAX_PAUSE_MS)
    : Math.min(retryAfterMs * 2 ** Math.max(0, bucket.silent - 1), MAX_ASSUMED_PAUSE_MS);
  const untilMs = nowMs + waitMs + jitterMs;
  bucket.limited += 1;
  bucket.limit = limit;
  if (!isFirst) {
    bucket.pausedUntilMs = Math.max(bucket.pausedUntilMs, untilMs);
    return;
  }
  bucket.limitedAtMs = nowMs;
  pause(bucket, untilMs);
}

/** Holds a bucket back until a time, as if a 429 had asked for it. */
export function pause(bucket: Bucket, untilMs: number): void {
  bucket.phase = 'paused';
  bucket.pausedUntilMs = untilMs;
  bucket.atOnce = 1;
}

export function isPaused({ phase, pausedUntilMs }: Bucket, nowMs: number): boolean {
  return phase === 'paused' && pausedUntilMs > nowMs;
}

function passTime(bucket: Bucket, nowMs: number): void {
  if (bucket.phase !== 'paused' || nowMs < bucket.pausedUntilMs) return;
  bucket.phase = 'probing';
  bucket.round += 1;
  bucket.fresh = 0;
  bucket.used = 0;
}

/** More than the stated limit went through without a 429: it does not hold any more. */
function dropRefutedLimit(bucket: Bucket): void {
  const { limit, used, fresh } = bucket;
  if (limit !== undefined && used > limit && fresh === 0) bucket.limit = undefined;
}
