import type { BucketPhase, BucketScope } from './bucket.js';
import type { ResetUnit } from './reset-calibration.js';

/** A limit that was found out. Times are in milliseconds from now. */
export interface LimitedBucket {
  /** One route of one channel (server, interaction), several that share a limit, a whole route, or everything. */
  readonly scope: BucketScope;
  /** The method of this client, `messages.send`, or several joined by ` + `; empty for the global one. */
  readonly route: string;
  /** The id the path begins with; empty when it has none or not all have the same. */
  readonly major: string;
  /** `paused` by a 429; `pioneer`: one request goes to find out; `flowing`. */
  readonly phase: BucketPhase;
  /** Until the pause is over; 0 when there is none. */
  readonly pausedForMs: number;
  /** Requests that are on their way. */
  readonly inFlight: number;
  /** How many may be on their way at once. */
  readonly atOnce: number;
  /**
   * Requests that are sent in one window: what a header states, or nine tenths of what was observed.
   * `undefined` while it is not known.
   */
  readonly limit: number | undefined;
  /** Where `limit` comes from: a header, or the 429s themselves. */
  readonly limitFrom: 'header' | 'observed' | undefined;
  /** What `limit` rests on: `stated 5/10s`, `observed >= 12/4.2s`. Without the time while no window is known. */
  readonly evidence: string | undefined;
  /** Length of a window, as learned: no shorter than the true one. */
  readonly windowMs: number | undefined;
  /** Requests left in this window. `undefined` while it is not known. */
  readonly remaining: number | undefined;
  /** 429s so far, and how long ago the last one was. */
  readonly limited: number;
  readonly lastLimitedAgoMs: number | undefined;
}

/** Buckets that are treated as one, and why. */
export interface LimitMerge {
  readonly into: 'shared' | 'route' | 'global';
  /** Of the bucket that they became. */
  readonly route: string;
  readonly major: string;
  /** The `X-RateLimit-Limit` that they had in common. */
  readonly limit: number;
  /**
   * Who was paused at the same time: ids for a route, routes for the global one. For `shared`, whose
   * `X-RateLimit-Remaining` was one falling sequence: routes with their ids.
   */
  readonly members: readonly string[];
  readonly agoMs: number;
}

/** What is known of `X-RateLimit-Reset`, whose unit is not stated. */
export interface ResetKnowledge {
  /** The unit that fits what was seen. Used after three agreements with `Retry-After`. */
  readonly unit: ResetUnit | undefined;
  readonly agreements: number;
  /** It contradicted itself, and is not used any more. */
  readonly dropped: boolean;
}

/** What was learned about the platform's limits. Nothing of it is documented by the platform. */
export interface LearnedLimits {
  readonly buckets: readonly LimitedBucket[];
  readonly merges: readonly LimitMerge[];
  readonly reset: ResetKnowledge;
}

/** How well an origin can be reached. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Network faults in a row. From 10 on, only a probe goes every 1 to 8 s. */
  readonly faults: number;
  readonly isOpen: boolean;
  /** Until the next probe, in milliseconds; 0 when it is due or nothing is wrong. */
  readonly probeInMs: number;
}

/** What `rest.limits()` gives: plain data, taken at one moment. */
export interface LimitsSnapshot extends LearnedLimits {
  /** Requests that are on their way. */
  readonly inFlight: {
    readonly interaction: number;
    readonly general: number;
    readonly upload: number;
  };
  /** Calls that wait for their turn. */
  readonly queued: {
    readonly interaction: number;
    readonly awaited: number;
    readonly background: number;
  };
  /** Requests of the last ten minutes that were answered 401, 403, 404 or 429. */
  readonly refusedRequests: { readonly count: number; readonly blocksBackground: boolean };
  readonly origins: readonly OriginHealth[];
}
