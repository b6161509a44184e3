import type { Bucket } from './bucket.js';

/** Buckets whose 429s show that they share a limit. */
export interface Sharing {
  readonly scope: 'route' | 'global';
  /** The end of the longest of their pauses. */
  readonly untilMs: number;
}

/** How many routes have to be paused together before everything is. */
const ROUTES_FOR_GLOBAL = 3;

/**
 * Whether the 429 that just paused `bucket` shows that it shares its limit with others that are paused
 * now. Only 429s that state the same limit count, and only when no more than that limit went through
 * all of them together: channels with a limit each can reach theirs at the same time. A request that
 * was sent and accepted during the pause speaks against it as well.
 */
export function findSharing(
  bucket: Bucket,
  paused: Iterable<Bucket>,
  acceptedAtMs: ReadonlyMap<string, number>,
): Sharing | undefined {
  const { limit } = bucket;
  if (limit === undefined) return undefined;
  const alike = [...paused].filter((each) => each.limit === limit);
  const routes = new Set(alike.map(({ route }) => route));
  const everAcceptedMs = Math.max(...acceptedAtMs.values());
  if (routes.size >= ROUTES_FOR_GLOBAL && isOneLimit(alike, limit, everAcceptedMs)) {
    return { scope: 'global', untilMs: latestEnd(alike) };
  }
  const sameRoute = alike.filter(({ route }) => route === bucket.route);
  const routeAcceptedMs = acceptedAtMs.get(bucket.route) ?? Number.NEGATIVE_INFINITY;
  if (sameRoute.length > 1 && isOneLimit(sameRoute, limit, routeAcceptedMs)) {
    return { scope: 'route', untilMs: latestEnd(sameRoute) };
  }
  return undefined;
}

function isOneLimit(buckets: readonly Bucket[], limit: number, acceptedAtMs: number): boolean {
  // Those of an earlier round may still be accepted.
  const used = buckets.reduce((sum, each) => sum + each.used + each.inFlight - each.fresh, 0);
  return used <= limit && buckets.every(({ limitedAtMs }) => limitedAtMs >= acceptedAtMs);
}

function latestEnd(buckets: readonly Bucket[]): number {
  return Math.max(...buckets.map(({ pausedUntilMs }) => pausedUntilMs));
}
