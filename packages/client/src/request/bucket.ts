import type { Clock } from '@virgule/core/clock';
import type { Lane } from './pool.js';

/** Identity of a bucket, which counts requests with the same key together. */
export interface LimitKey {
  /** Name of the method, `messages.send`, as short for HTTP method and path. */
  readonly route: string;
  /** Id at the start of the path, or `''`. */
  readonly major: string;
  /** Lane of the bucket; other lanes are not limited. @defaultValue `general` */
  readonly lane?: Lane | undefined;
}

/** Bucket that was answered 429 and has not recovered. */
export interface LimitedBucket {
  /** Name of the method, `messages.send`; empty for the limit of all routes. */
  readonly route: string;
  /** Id at the start of the path; empty for a path without id. */
  readonly major: string;
  /** `paused` by a 429; `flowing` after the pause: one request goes first, then one more with each success. */
  readonly phase: 'paused' | 'flowing';
  /** Remaining time of the pause, in milliseconds; 0 without a pause. */
  readonly pausedForMs: number;
  /** Number of requests in flight. */
  readonly inFlight: number;
  /** Maximum number of requests in flight. */
  readonly maxInFlight: number;
  /** `X-RateLimit-Limit` of the last 429; `undefined` if not stated, or if more requests were accepted since. */
  readonly limit: number | undefined;
  /** Number of 429s so far; 0 for a pause of an earlier run or of another client. */
  readonly limited: number;
}

export interface Place {
  readonly bucket: Bucket;
  readonly round: number;
}

/** Outcome of a request for rate limits. */
export type LimitOutcome =
  /** `accepted`: any answer but a 429; `lost`: no answer, but the request may have arrived; `unsent`: never sent. */
  | { readonly kind: 'accepted' | 'lost' | 'unsent' }
  | {
      readonly kind: 'limited';
      /** Stated wait, or the assumed wait if none is stated, in milliseconds. */
      readonly retryAfterMs: number;
      readonly stated: boolean;
      /** Value of `X-RateLimit-Limit`, 1 or more. */
      readonly limit?: number | undefined;
      /** Time that is added to the wait, in milliseconds. */
      readonly jitterMs: number;
    };

/** Permission of a request: now (`go`), after the end of another request (`busy`), or from a `Clock.monotonic()` time on. */
export type Admission = 'go' | 'busy' | number;

/** Number of allowed requests in flight at which a bucket counts as recovered. */
const RECOVERED_IN_FLIGHT = 32;

/** Maximum of a wait that no answer states, in milliseconds; the wait doubles with each such 429. */
const MAX_ASSUMED_PAUSE_MS = 60_000;

/** Maximum pause in milliseconds, also of a longer stated wait: a request then tries again. */
export const MAX_PAUSE_MS = 3_600_000;

/** Limit of one route of one channel (server, interaction), or of all routes. */
export class Bucket {
  readonly key: LimitKey;
  readonly #clock: Pick<Clock, 'monotonic'>;
  phase: LimitedBucket['phase'] | 'open' = 'open';
  pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** Value of `X-RateLimit-Limit` of the last 429, until it is refuted. */
  limit: number | undefined;
  /** Maximum number of requests in flight: 1 after a pause, one more with each success. */
  maxInFlight = 1;
  inFlight = 0;
  /** Number of requests of this round in flight. A round begins at the end of each pause. */
  fresh = 0;
  /** Number of requests of this round that were accepted, were lost or are in flight. */
  used = 0;
  limited = 0;
  #round = 0;
  /** Number of 429s in a row that stated no wait. */
  #silent = 0;

  constructor(key: LimitKey, clock: Pick<Clock, 'monotonic'>) {
    this.key = key;
    this.#clock = clock;
  }

  /** Remaining time of the pause, in milliseconds; 0 without a pause. */
  get pausedForMs(): number {
    return this.phase === 'paused' ? Math.max(0, this.pausedUntilMs - this.#clock.monotonic()) : 0;
  }

  ask(): Admission {
    if (this.phase === 'open') return 'go';
    this.#passTime();
    if (this.phase === 'paused') return this.pausedUntilMs;
    const { limit = Number.POSITIVE_INFINITY, fresh, maxInFlight, used } = this;
    // A single request above the limit tests the limit: its 429 states the wait until the next window.
    return fresh === 0 || (fresh < maxInFlight && used <= limit) ? 'go' : 'busy';
  }

  /** Counts a request that is sent. */
  enter(): Place {
    this.#passTime();
    this.inFlight += 1;
    this.fresh += 1;
    this.used += 1;
    return { bucket: this, round: this.#round };
  }

  /** Ends a request; `undefined` does not affect this bucket. */
  leave(round: number, outcome: LimitOutcome | undefined): void {
    const isFresh = round === this.#round;
    this.inFlight -= 1;
    if (isFresh) this.fresh -= 1;
    switch (outcome?.kind) {
      case 'limited':
        this.#noteLimited(round, outcome);
        break;
      case 'unsent':
        if (isFresh) this.used -= 1;
        break;
      case 'accepted':
      case 'lost':
        // The platform may count a request from before the pause in the new window, also a lost request.
        if (!isFresh) this.used += 1;
        else if (outcome.kind === 'accepted') this.#noteAccepted();
        else this.#dropRefutedLimit();
        break;
      case undefined:
    }
  }

  #noteAccepted(): void {
    if (this.phase === 'open' || this.phase === 'paused') return;
    this.#silent = 0;
    this.maxInFlight += 1;
    this.#dropRefutedLimit();
    if (this.limit === undefined && this.maxInFlight >= RECOVERED_IN_FLIGHT) this.phase = 'open';
  }

  #noteLimited(
    round: number,
    { retryAfterMs, stated, limit, jitterMs }: Extract<LimitOutcome, { kind: 'limited' }>,
  ): void {
    const nowMs = this.#clock.monotonic();
    this.#passTime();
    const isFirst = this.phase !== 'paused';
    if (round === this.#round) this.used -= 1;
    if (isFirst && !stated) this.#silent += 1;
    const waitMs = stated
      ? Math.min(retryAfterMs, MAX_PAUSE_MS)
      : Math.min(retryAfterMs * 2 ** Math.max(0, this.#silent - 1), MAX_ASSUMED_PAUSE_MS);
    const untilMs = nowMs + waitMs + jitterMs;
    this.limited += 1;
    this.limit = limit;
    if (isFirst) this.pause(untilMs);
    else this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
  }

  /** Pauses the bucket until a time, as after a 429. */
  pause(untilMs: number): void {
    this.phase = 'paused';
    this.pausedUntilMs = untilMs;
    this.maxInFlight = 1;
  }

  /** Returns the bucket as plain data in a list; an empty list while no 429 is in force. */
  snapshot(): readonly LimitedBucket[] {
    const { key, phase, pausedForMs, inFlight, maxInFlight, limit, limited } = this;
    const { route, major } = key;
    if (phase === 'open') return [];
    return [{ route, major, phase, pausedForMs, inFlight, maxInFlight, limit, limited }];
  }

  /** Begins a round after a pause: one request goes first. */
  #passTime(): void {
    if (this.phase !== 'paused' || this.pausedForMs !== 0) return;
    this.phase = 'flowing';
    this.maxInFlight = 1;
    this.#round += 1;
    this.fresh = 0;
    this.used = 0;
  }

  /** Drops the stated limit after more requests than the limit passed without a 429. */
  #dropRefutedLimit(): void {
    const { limit, used, fresh } = this;
    if (limit !== undefined && used > limit && fresh === 0) this.limit = undefined;
  }
}
