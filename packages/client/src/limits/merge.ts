import type { Bucket } from './bucket.js';

/** Why buckets are treated as one. */
export interface MergeEvidence {
  readonly into: 'route' | 'global';
  /** The `X-RateLimit-Limit` that they had in common. */
  readonly limit: number;
  /** Who was paused at the same time: ids for a route, routes for the global one. */
  readonly members: readonly string[];
}

/** How many routes have to be paused at once before it is taken for one limit on everything. */
const ROUTES_FOR_GLOBAL = 3;

/**
 * Whether the 429 that just paused `bucket` shows that a limit is wider than it was taken for.
 * `paused` is everything that is paused now, `bucket` included. Only the same stated limit counts,
 * and a pause during which others of the same route (or other routes) went through proves nothing.
 */
export function findMerge(bucket: Bucket, paused: Iterable<Bucket>): MergeEvidence | undefined {
  const limit = bucket.learned?.statedLimit;
  if (limit === undefined) return undefined;
  const majors = new Set([bucket.major]);
  const routes = new Set([bucket.route]);
  for (const { route, major, learned, scope } of paused) {
    if (learned?.statedLimit !== limit || scope === 'global') continue;
    if (!learned.refutedGlobal) routes.add(route);
    if (!learned.refutedRoute && scope === 'bucket' && route === bucket.route) majors.add(major);
  }
  if (routes.size >= ROUTES_FOR_GLOBAL) return { into: 'global', limit, members: [...routes] };
  if (bucket.scope === 'bucket' && majors.size > 1) {
    return { into: 'route', limit, members: [...majors] };
  }
  return undefined;
}
