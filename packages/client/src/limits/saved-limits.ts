import { beginLearning, isPaused, type Bucket, type BucketScope } from './bucket.js';
import type { MergeEvidence } from './merge.js';

/** What one run leaves to the next about a bucket. */
export interface SavedBucket {
  readonly scope: BucketScope;
  readonly route: string;
  readonly major: string;
  /** Both or none: without the length of its window a limit is of no use at a start. */
  readonly limit?: number | undefined;
  readonly windowMs?: number | undefined;
  /** What was left of a pause when it was saved. */
  readonly pausedForMs: number;
  /** For a bucket that others were merged into. */
  readonly merge?: Pick<MergeEvidence, 'limit' | 'members'> | undefined;
}

/** Plain data, for a file. */
export interface SavedLimits {
  readonly savedAtMs: number;
  readonly buckets: readonly SavedBucket[];
}

/** The same as the next run finds it. */
export interface RestoredLimits {
  /** How long ago it was saved. */
  readonly agoMs: number;
  readonly buckets: readonly SavedBucket[];
}

/** What was learned longer ago than this is not believed any more. */
const OLDEST_MS = 7 * 24 * 3_600_000;

const MOST_BUCKETS = 200;
const MOST_MEMBERS = 50;
const LONGEST_TEXT = 500;
const LARGEST_LIMIT = 1_000_000;
const LONGEST_WINDOW_MS = 600_000;
const LONGEST_PAUSE_MS = 3_600_000;

export function saveBuckets(
  buckets: readonly Bucket[],
  evidenceOf: (bucket: Bucket) => MergeEvidence | undefined,
  nowMs: number,
): readonly SavedBucket[] {
  return buckets
    .flatMap((bucket) => saveBucket(bucket, evidenceOf(bucket), nowMs) ?? [])
    .slice(-MOST_BUCKETS);
}

function saveBucket(
  bucket: Bucket,
  evidence: MergeEvidence | undefined,
  nowMs: number,
): SavedBucket | undefined {
  const { scope, route, major, isBrief, learned } = bucket;
  if (!learned || isBrief) return undefined;
  const { limit, windowMs, pausedUntilMs } = learned;
  const isKnown = limit !== undefined && windowMs !== undefined;
  const pausedForMs = isPaused(bucket, nowMs) ? pausedUntilMs - nowMs : 0;
  if (!isKnown && pausedForMs === 0) return undefined;
  return {
    scope,
    route,
    major,
    ...(isKnown && { limit, windowMs }),
    pausedForMs,
    ...(evidence && {
      merge: { limit: evidence.limit, members: evidence.members.slice(0, MOST_MEMBERS) },
    }),
  };
}

/**
 * Begins with what an earlier run found out. None of it counts as stated: it is kept to and tested as
 * a limit that was observed, until an answer says it again.
 */
export function restoreBucket(bucket: Bucket, saved: SavedBucket, nowMs: number): void {
  const learned = beginLearning(bucket, nowMs);
  learned.phase = saved.pausedForMs > 0 ? 'paused' : 'pioneer';
  learned.pausedUntilMs = nowMs + saved.pausedForMs;
  learned.atOnce = 1;
  learned.limit = saved.limit;
  learned.windowMs = saved.windowMs;
  learned.aloneUntilMs = nowMs + (saved.windowMs ?? 0);
}

/** Takes what `saveBuckets` gave from anywhere; whatever is old, broken or out of bounds is left out. */
export function readSavedLimits(state: unknown, nowMs: number): RestoredLimits | undefined {
  const { savedAtMs, buckets } = Object(state) as { readonly [key in keyof SavedLimits]?: unknown };
  if (!isWithin(savedAtMs, nowMs - OLDEST_MS, nowMs) || !Array.isArray(buckets)) return undefined;
  const agoMs = nowMs - savedAtMs;
  const read = (bucket: unknown): SavedBucket | [] => readBucket(bucket, agoMs) ?? [];
  return { agoMs, buckets: buckets.slice(0, MOST_BUCKETS).flatMap(read) };
}

function readBucket(state: unknown, agoMs: number): SavedBucket | undefined {
  const { scope, route, major, limit, windowMs, pausedForMs, merge } = Object(state) as {
    readonly [key in keyof SavedBucket]?: unknown;
  };
  if (!isScope(scope) || !isText(route) || !isText(major)) return undefined;
  if (!isWithin(pausedForMs, 0, LONGEST_PAUSE_MS)) return undefined;
  const isKnown = isCount(limit) && isWithin(windowMs, 1, LONGEST_WINDOW_MS);
  const leftMs = Math.max(0, pausedForMs - agoMs);
  const merged = readMerge(merge);
  if ((!isKnown && leftMs === 0) || (scope === 'bucket') !== (merged === undefined)) {
    return undefined;
  }
  return {
    scope,
    route,
    major,
    ...(isKnown && { limit, windowMs }),
    pausedForMs: leftMs,
    ...(merged && { merge: merged }),
  };
}

function readMerge(state: unknown): SavedBucket['merge'] {
  const { limit, members } = Object(state) as {
    readonly limit?: unknown;
    readonly members?: unknown;
  };
  if (!isCount(limit) || !Array.isArray(members)) return undefined;
  return { limit, members: members.slice(0, MOST_MEMBERS).filter((name) => isText(name)) };
}

function isScope(value: unknown): value is BucketScope {
  return value === 'bucket' || value === 'shared' || value === 'route' || value === 'global';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && isWithin(value, 1, LARGEST_LIMIT);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}
