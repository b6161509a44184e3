import type { BucketPhase, BucketScope } from './bucket.js';

/** A bucket that was answered 429. Times are in milliseconds from now. */
export interface LimitedBucket {
  /** One route of one channel (server, interaction), or everything. */
  readonly scope: BucketScope;
  /** The method of this client, `messages.send`; empty for `global`. */
  readonly route: string;
  /** The id the path begins with; empty when it has none, and for `global`. */
  readonly major: string;
  /** `paused` by a 429; `flowing`: one request goes first, then one more with each success; `open`: recovered. */
  readonly phase: BucketPhase;
  /** Until the pause is over; 0 when there is none. */
  readonly pausedForMs: number;
  /** Requests in flight. */
  readonly inFlight: number;
  /** How many may be in flight at once; `undefined` when `open`. */
  readonly maxInFlight: number | undefined;
  /** `X-RateLimit-Limit` as the last 429 stated it. `undefined` when it stated none, or when more went through since. */
  readonly limit: number | undefined;
  /** 429s so far, and how long ago the last one was; `undefined` when it was in an earlier run. */
  readonly limited: number;
  readonly lastLimitedAgoMs: number | undefined;
}

/** How well an origin can be reached. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Network faults in a row. From 10 on, only a probe goes every 1 to 2 s. */
  readonly faults: number;
  readonly isCircuitOpen: boolean;
  /** Until the next probe, in milliseconds; 0 when it is due or nothing is wrong. */
  readonly probeInMs: number;
}

/** What `rest.limits()` returns: plain data, taken at one moment. */
export interface LimitsSnapshot {
  /** Buckets that were answered 429, with the pauses and limits that the platform stated. */
  readonly buckets: readonly LimitedBucket[];
  /** Requests in flight. */
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
  readonly origins: readonly OriginHealth[];
}
