/**
 * What a bucket counts together: one route of one channel, several of these that are known to share a
 * limit, a whole route, or everything.
 */
export type BucketScope = 'bucket' | 'shared' | 'route' | 'global';

export type BucketPhase =
  /** A 429 came: nothing is sent. */
  | 'paused'
  /** The pause is over, and one request goes to find out. */
  | 'pioneer'
  /** Requests flow, as many at a time as `atOnce`. */
  | 'flowing';

/** What is known about a limit. Absent as long as nothing suggests that there is one. */
export interface Learned {
  phase: BucketPhase;
  pausedUntilMs: number;
  /** Requests that may be on their way at once: 1 after a pause, one more with each success. */
  atOnce: number;
  /** Above this `atOnce` grows slowly: half of what was on its way when the last 429 came. */
  threshold: number;
  /** Until then one goes at a time: nobody knows what an earlier run used of this window. */
  aloneUntilMs: number;
  /** Requests in one window, as it is believed now. */
  limit: number | undefined;
  /** The same as a header said it. */
  statedLimit: number | undefined;
  /** Length of a window, in milliseconds; never shorter than the true one. */
  windowMs: number | undefined;
  /** When the latest requests of this window were accepted, at most `limit` of them. */
  log: number[];
  /** What fitted into each of the last windows that a 429 ended, the newest last. */
  sightings: number[];
  /** Whether the window that the last 429 ended had a known beginning. */
  isSighting: boolean;
  /** `X-RateLimit-Remaining`, corrected by what was accepted since. */
  remaining: number;
  /** The update of `remaining` that nothing sent before it can raise again. */
  remainingSetAt: number;
  /** When the window ends by a calibrated `X-RateLimit-Reset`. */
  resetAtMs: number | undefined;
  /** Earliest moment at which the window of the last 429 can have ended. */
  boundaryMs: number | undefined;
  /** 429s in a row that stated no wait. */
  silent: number;
  /** 429s in all, and how many times they began a pause. */
  limited: number;
  pauses: number;
  limitedAtMs: number;
  /** Accepted since `limit` was last changed. */
  acceptedAtLimit: number;
  /** A request of the same route, or of another one, went through during the pause. */
  refutedRoute: boolean;
  refutedGlobal: boolean;
}

/** Requests that share a limit, as far as is known. */
export interface Bucket {
  readonly scope: BucketScope;
  readonly route: string;
  readonly major: string;
  /** Its id serves for a few requests only. */
  readonly isBrief: boolean;
  inFlight: number;
  /** Those of them that were sent since the last 429. */
  fresh: number;
  /** 429s that ended a time of flow. */
  epoch: number;
  /** Answers that said or changed what remains. */
  updates: number;
  /** Accepted since the last pause ended. */
  accepted: number;
  /** Sent since then, and nobody knows whether they were counted. */
  lost: number;
  learned: Learned | undefined;
}

/** One request's share in a bucket. */
export interface Stake {
  readonly bucket: Bucket;
  readonly epoch: number;
  readonly updates: number;
  readonly sentAtMs: number;
}

/** No more than this many are on their way in a bucket that has a limit. */
export const MOST_AT_ONCE = 32;

export function createBucket(
  scope: BucketScope,
  route: string,
  major: string,
  isBrief = false,
): Bucket {
  return {
    scope,
    route,
    major,
    isBrief,
    inFlight: 0,
    fresh: 0,
    epoch: 0,
    updates: 0,
    accepted: 0,
    lost: 0,
    learned: undefined,
  };
}

/** Nothing is known but that there is a limit: one goes first. `like` lends what it learned. */
export function beginLearning(bucket: Bucket, nowMs: number, like?: Learned): Learned {
  bucket.learned = {
    phase: like ? 'pioneer' : 'flowing',
    pausedUntilMs: nowMs,
    atOnce: like ? 1 : MOST_AT_ONCE,
    threshold: MOST_AT_ONCE,
    aloneUntilMs: nowMs,
    limit: like?.limit,
    statedLimit: like?.statedLimit,
    windowMs: like?.windowMs,
    log: [],
    sightings: [],
    isSighting: false,
    remaining: Number.POSITIVE_INFINITY,
    remainingSetAt: 0,
    resetAtMs: undefined,
    boundaryMs: undefined,
    silent: 0,
    limited: 0,
    pauses: 0,
    limitedAtMs: nowMs,
    acceptedAtLimit: 0,
    refutedRoute: false,
    refutedGlobal: false,
  };
  return bucket.learned;
}

/** The share of a request that was sent before its bucket was found to be a part of `bucket`. */
export function earlierStake(bucket: Bucket, { sentAtMs }: Stake): Stake {
  return { bucket, epoch: -1, updates: -1, sentAtMs };
}

export function enter(bucket: Bucket, nowMs: number): Stake {
  bucket.inFlight += 1;
  bucket.fresh += 1;
  return { bucket, epoch: bucket.epoch, updates: bucket.updates, sentAtMs: nowMs };
}

/** Gives the place of a request back; what became of it is told separately. */
export function leave({ bucket, epoch }: Stake): void {
  bucket.inFlight -= 1;
  if (epoch === bucket.epoch) bucket.fresh -= 1;
}

/** Taken together on evidence that is not exact: several limits may have been taken for one. */
export function isGuess({ scope }: Bucket): boolean {
  return scope === 'route' || scope === 'global';
}

/** How many are sent in one window: nine tenths of a limit that nobody stated, and at least one. */
export function ceilingOf({ limit, statedLimit }: Learned): number | undefined {
  if (limit === undefined || statedLimit !== undefined) return limit;
  return Math.max(1, Math.floor((limit * 9) / 10));
}

export function isPaused(bucket: Bucket, nowMs: number): boolean {
  const { learned } = bucket;
  return learned?.phase === 'paused' && learned.pausedUntilMs > nowMs;
}
