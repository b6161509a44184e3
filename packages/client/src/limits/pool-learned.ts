import type { Bucket, Learned } from './bucket.js';

/** Buckets that turned out to be one; `latest` is what the one learned that was heard of last. */
export function poolLearned(
  buckets: readonly Bucket[],
  latest: Learned,
  statedLimit: number,
): Learned {
  const known = buckets.flatMap(({ learned }) => learned ?? []);
  const log = known.flatMap((each) => each.log).toSorted((a, b) => a - b);
  const used = Math.max(0, statedLimit - latest.remaining);
  const windowsMs = known.flatMap(({ windowMs }) => windowMs ?? []);
  return {
    ...latest,
    limit: statedLimit,
    statedLimit,
    // Each is no shorter than the true one.
    windowMs: windowsMs.length === 0 ? undefined : Math.min(...windowsMs),
    log: log.slice(Math.max(0, log.length - used)),
    sightings: [],
    remainingSetAt: 0,
    refutedRoute: false,
    refutedGlobal: false,
  };
}

/** Buckets that were paused together are one pause; `latest` is what the last of them learned. */
export function poolPaused(buckets: readonly Bucket[], latest: Learned): Learned {
  return {
    ...latest,
    log: [],
    sightings: [],
    remainingSetAt: 0,
    pausedUntilMs: Math.max(...buckets.map(({ learned }) => learned?.pausedUntilMs ?? 0)),
    refutedRoute: false,
    refutedGlobal: false,
  };
}
