import { ceilingOf, type Bucket, type Learned } from './bucket.js';
import type { LimitedBucket } from './limits-snapshot.js';

/** What is known about a bucket, as plain data; nothing when it has no limit. */
export function describeBucket(bucket: Bucket, nowMs: number): LimitedBucket | undefined {
  const { learned, scope, route, major, inFlight } = bucket;
  if (!learned) return undefined;
  const { statedLimit, log, remaining, limited } = learned;
  const limit = ceilingOf(learned);
  const left = Math.min(remaining, (limit ?? Infinity) - log.length);
  return {
    scope,
    route,
    major,
    phase: learned.phase,
    pausedForMs: learned.phase === 'paused' ? Math.max(0, learned.pausedUntilMs - nowMs) : 0,
    inFlight,
    atOnce: Math.floor(learned.atOnce),
    limit,
    limitFrom: limit === undefined ? undefined : limit === statedLimit ? 'header' : 'observed',
    evidence: describeEvidence(learned),
    windowMs: learned.windowMs,
    remaining: Number.isFinite(left) ? Math.max(0, left) : undefined,
    limited,
    lastLimitedAgoMs: limited === 0 ? undefined : nowMs - learned.limitedAtMs,
  };
}

function describeEvidence({ limit, statedLimit, windowMs, limited }: Learned): string | undefined {
  if (limit === undefined) return undefined;
  const each = windowMs === undefined ? '' : `/${Math.round(windowMs / 100) / 10}s`;
  if (limit === statedLimit) return `stated ${limit}${each}`;
  if (statedLimit !== undefined) return `observed >= ${limit}${each}, stated ${statedLimit}`;
  return `observed >= ${limit}${each}${limited === 0 ? ' in an earlier run' : ''}`;
}
