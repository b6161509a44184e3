import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import {
  Bucket,
  type Admission,
  type LimitedBucket,
  type LimitKey,
  type LimitOutcome,
  type Place,
} from './bucket.js';

/** Pause that a 429 asked for; `pausedForMs` is the remaining time in milliseconds. */
export type Pause = Pick<LimitedBucket, 'route' | 'major' | 'pausedForMs'>;

/** Places of a request in its buckets, to be released exactly once. */
export type Permit = readonly Place[];

/** Maximum number of remembered buckets, without paused buckets. Lanes other than `general` only have limited buckets. */
const MAX_BUCKETS = 3_000;
/** Key of the bucket of all routes. */
const EVERYTHING: LimitKey = { route: '', major: '' };

/** Number of routes that have to be paused at the same time before all routes are paused. */
const ROUTES_FOR_GLOBAL = 3;

/**
 * Obeys the rate limits that 429s state; decides and never waits. A 429 pauses its bucket (one route of one channel) for
 * `Retry-After`. Then a single request goes, and each success allows one more in flight. A stated `X-RateLimit-Limit` is the
 * number of requests before the next 429 is expected.
 */
export class RateLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #listeners: ((pause: Pause) => void)[] = [];
  readonly #buckets: LruMap<Bucket>;
  /** Limited buckets of the other lanes. */
  readonly #otherLanes: LruMap<Bucket>;
  /** Bucket of all routes, while they share a limit. */
  #global: Bucket | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    const keep = ({ pausedForMs }: Bucket): boolean => pausedForMs > 0;
    this.#buckets = new LruMap(MAX_BUCKETS, keep);
    this.#otherLanes = new LruMap(MAX_BUCKETS, keep);
  }

  /** Calls a listener, which must not throw, with each pause but those of interactions and of other servers. */
  onPause(listener: (pause: Pause) => void): void {
    this.#listeners.push(listener);
  }

  /** Pauses a bucket as the platform asked an earlier run, or another client. A longer pause of the bucket stays. */
  pause({ route, major, pausedForMs }: Pause): void {
    const key = { route, major };
    const bucket = route === '' ? this.#share() : (this.#find(key) ?? this.#open(key));
    if (pausedForMs > bucket.pausedForMs) bucket.pause(this.#clock.monotonic() + pausedForMs);
  }

  /** Returns if or when a request may go. */
  ask(key: LimitKey): Admission {
    if (this.#isFree(key)) return 'go';
    let longest: Admission = 'go';
    for (const bucket of this.#bucketsOf(key)) {
      const answer = bucket.ask();
      if (answer === 'busy') return answer;
      // The longest of several pauses has to fit the deadline.
      if (answer !== 'go') longest = longest === 'go' ? answer : Math.max(longest, answer);
    }
    return longest;
  }

  take(key: LimitKey): Permit {
    if (this.#isFree(key)) return NO_PLACES;
    const buckets = this.#bucketsOf(key);
    if (!isOtherLane(key) && buckets.at(-1)?.key.route !== key.route) buckets.push(this.#open(key));
    return buckets.map((bucket) => bucket.enter());
  }

  /** Ends a request with its outcome. */
  release(key: LimitKey, places: Permit, outcome: LimitOutcome): void {
    for (const { bucket, round } of places) {
      // A 429 counts for the bucket of all routes only when it states the limit of that bucket.
      const isMeant =
        bucket !== this.#global ||
        outcome.kind !== 'limited' ||
        bucket.limit === undefined ||
        bucket.limit === outcome.limit;
      bucket.leave(round, isMeant ? outcome : undefined);
      // The shared limit has recovered: each route and channel obeys only its own 429s again.
      if (bucket === this.#global && bucket.phase === 'open') this.#global = undefined;
    }
    if (outcome.kind === 'limited') {
      const own = this.#find(key) ?? this.#open(key);
      // A 429 counts in the bucket of its key, also if the request had no place in this bucket.
      if (!places.some(({ bucket }) => bucket === own)) own.leave(own.enter().round, outcome);
      if (isOtherLane(key)) return;
      this.#findSharing(own.limit);
      for (const bucket of this.#global ? [own, this.#global] : [own])
        for (const listener of this.#listeners) listener(pauseOf(bucket));
    }
  }

  /** Returns every bucket that a 429 limits, as plain data. */
  snapshot(): readonly LimitedBucket[] {
    return this.#all().flatMap((bucket) => bucket.snapshot());
  }

  /** Returns the pauses that the next run has to obey. */
  pauses(): readonly Pause[] {
    const isLasting = ({ key, pausedForMs }: Bucket): boolean =>
      !isOtherLane(key) && pausedForMs > 0;
    return this.#all().filter(isLasting).map(pauseOf);
  }

  #all(): Bucket[] {
    const all = [...this.#buckets.values(), ...this.#otherLanes.values()];
    return this.#global ? [...all, this.#global] : all;
  }

  /** Returns the buckets of a request, the widest first. Answers obey no limit inferred from other routes. */
  #bucketsOf(key: LimitKey): Bucket[] {
    const buckets = this.#global && !isOtherLane(key) ? [this.#global] : [];
    const own = this.#find(key);
    if (own) buckets.push(own);
    return buckets;
  }

  /** True while no 429 limits the lane of a request, the usual case for answers to commands: no name is built. */
  #isFree(key: LimitKey): boolean {
    return isOtherLane(key) && this.#otherLanes.size === 0;
  }

  #find(key: LimitKey): Bucket | undefined {
    return this.#of(key).get(nameOf(key));
  }

  #open(key: LimitKey): Bucket {
    const bucket = new Bucket(key, this.#clock);
    this.#of(key).set(nameOf(key), bucket);
    return bucket;
  }

  #of(key: LimitKey): LruMap<Bucket> {
    return isOtherLane(key) ? this.#otherLanes : this.#buckets;
  }

  #share(): Bucket {
    return (this.#global ??= new Bucket(EVERYTHING, this.#clock));
  }

  /**
   * Pauses all routes when 429s of different routes suggest a shared limit: they state the same limit, and together the routes
   * sent no more requests than this limit.
   */
  #findSharing(limit: number | undefined): void {
    if (limit === undefined) return;
    const isAlike = (each: Bucket): boolean => each.limit === limit && each.pausedForMs > 0;
    const alike = this.#buckets.values().filter(isAlike);
    if (new Set(alike.map(({ key }) => key.route)).size < ROUTES_FOR_GLOBAL) return;
    // Requests in flight from an earlier round may still be accepted.
    const used = alike.reduce((sum, each) => sum + each.used + each.inFlight - each.fresh, 0);
    if (used > limit) return;
    const shared = this.#share();
    shared.limit = limit;
    shared.limited = Math.max(shared.limited, 1);
    const endsMs = alike.map(({ pausedUntilMs }) => pausedUntilMs);
    shared.pause(Math.max(...endsMs, shared.pausedUntilMs));
  }
}

const NO_PLACES: Permit = [];

function pauseOf({ key: { route, major }, pausedForMs }: Bucket): Pause {
  return { route, major, pausedForMs };
}

const nameOf = ({ route, major, lane = 'general' }: LimitKey): string =>
  `${lane} ${route} ${major}`;

const isOtherLane = ({ lane = 'general' }: LimitKey): boolean => lane !== 'general';
