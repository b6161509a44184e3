import { isPaused, type Bucket, type Stake } from './bucket.js';

/** Why buckets are treated as one. */
export interface MergeEvidence {
  readonly into: 'shared' | 'route' | 'global';
  /** The `X-RateLimit-Limit` that they had in common. */
  readonly limit: number;
  /**
   * Who was paused at the same time: ids for a route, routes for the global one. For `shared`, whose
   * `X-RateLimit-Remaining` was one falling sequence: routes with their ids.
   */
  readonly members: readonly string[];
}

/** How many routes have to be paused at once before it is taken for one limit on everything. */
const ROUTES_FOR_GLOBAL = 3;

/**
 * Whether the 429 that just paused `bucket` shows that a limit is wider than it was taken for.
 * `paused` is everything that is paused now, `bucket` included. Only the same stated limit counts,
 * and a pause during which others of the same route (or other routes) went through proves nothing.
 * Two channels at their limits at once may well have one each: they are taken to share it only when
 * no more than one limit's worth went through all of them together.
 */
export function findMerge(bucket: Bucket, paused: Iterable<Bucket>): MergeEvidence | undefined {
  const limit = bucket.learned?.statedLimit;
  if (limit === undefined || !isLane(bucket)) return undefined;
  const route = gather(bucket);
  const all = gather(bucket);
  for (const each of paused) {
    const { learned, scope } = each;
    if (each === bucket || learned?.statedLimit !== limit || !isLane(each)) continue;
    if (!learned.refutedGlobal) all.add(each);
    if (!learned.refutedRoute && scope === 'bucket' && each.route === bucket.route) route.add(each);
  }
  if (all.routes.size >= ROUTES_FOR_GLOBAL && all.most <= limit) {
    return { into: 'global', limit, members: [...all.routes] };
  }
  if (bucket.scope === 'bucket' && route.majors.size > 1 && route.most <= limit) {
    return { into: 'route', limit, members: [...route.majors] };
  }
  return undefined;
}

/** A request that was sent and accepted during a pause shows that the two do not share a limit. */
export function refute({ bucket, sentAtMs }: Stake, paused: Set<Bucket>, nowMs: number): void {
  for (const each of paused) {
    const { learned } = each;
    if (!learned || !isPaused(each, nowMs)) paused.delete(each);
    else if (each !== bucket && learned.limitedAtMs < sentAtMs) {
      if (each.route === bucket.route) learned.refutedRoute = true;
      else learned.refutedGlobal = true;
    }
  }
}

/** Its route and id say what it counts. */
function isLane({ scope }: Bucket): boolean {
  return scope === 'bucket' || scope === 'route';
}

function gather(first: Bucket) {
  const gathered = {
    routes: new Set<string>(),
    majors: new Set<string>(),
    /** What may have been accepted in all of them since their last pauses. */
    most: 0,
    add({ route, major, accepted, lost, inFlight }: Bucket): void {
      gathered.routes.add(route);
      gathered.majors.add(major);
      gathered.most += accepted + lost + inFlight;
    },
  };
  gathered.add(first);
  return gathered;
}
