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

/** A pause that a 429 asked for; `pausedForMs` is what is left of it. */
export type Pause = Pick<LimitedBucket, 'route' | 'major' | 'pausedForMs'>;

/** A request's places in its buckets. Has to be released exactly once. */
export interface Permit {
  readonly key: LimitKey;
  readonly sentAtMs: number;
  readonly places: readonly Place[];
}

/** Routes of channels that are remembered besides those that are paused; of other lanes, those that were answered 429. */
const MAX_BUCKETS = 3_000;
/** The bucket of everything. */
const EVERYTHING: LimitKey = { route: '', major: '' };

/** How many routes have to be paused together before everything is. */
const ROUTES_FOR_GLOBAL = 3;

/**
 * Obeys the platform's rate limits. What a 429 states is law, and nothing is guessed: it pauses its
 * bucket (one route of one channel) for `Retry-After`; then one request goes first, and one more at a
 * time with each success; a stated `X-RateLimit-Limit` is how many go before the next 429 is expected.
 * It decides and never waits, and asks the clock only what time it is.
 */
export class RateLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #listeners: ((pause: Pause) => void)[] = [];
  readonly #buckets: LruMap<Bucket>;
  /** Holds all of them back, while they share a limit. */
  #global: Bucket | undefined;
  /** When the last request was sent that was accepted. */
  #acceptedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    const keep = ({ pausedForMs }: Bucket): boolean => pausedForMs > 0;
    this.#buckets = new LruMap({ maxSize: MAX_BUCKETS, keep });
  }

  /**
   * Calls a listener with each pause that a 429 asks for, except those of interactions and of other servers. It must
   * not throw.
   */
  onPause(listener: (pause: Pause) => void): void {
    this.#listeners.push(listener);
  }

  /** Pauses a bucket as an earlier run, or another client, was asked to. A longer pause of its own stays. */
  pause({ route, major, pausedForMs }: Pause): void {
    const key = { route, major };
    const bucket = route === '' ? this.#share() : (this.#find(key) ?? this.#open(key));
    if (pausedForMs > bucket.pausedForMs) bucket.pause(this.#clock.monotonic() + pausedForMs);
  }

  /** May a request go? */
  ask(key: LimitKey): Admission {
    let longest: Admission = 'go';
    for (const bucket of this.#bucketsOf(key)) {
      const answer = bucket.ask();
      if (answer === 'busy') return answer;
      // The longest of several pauses: whether it fits a deadline is decided by it.
      if (answer !== 'go') longest = longest === 'go' ? answer : Math.max(longest, answer);
    }
    return longest;
  }

  take(key: LimitKey): Permit {
    const buckets = this.#bucketsOf(key);
    if (!isApart(key) && buckets.at(-1)?.key.route !== key.route) buckets.push(this.#open(key));
    const sentAtMs = this.#clock.monotonic();
    return { key, sentAtMs, places: buckets.map((bucket) => bucket.enter()) };
  }

  /** The request is over. */
  release({ key, sentAtMs, places }: Permit, outcome: LimitOutcome): void {
    for (const { bucket, round } of places) {
      // That of everything is meant by a 429 when the limit is its own.
      const isMeant =
        bucket !== this.#global ||
        outcome.kind !== 'limited' ||
        bucket.limit === undefined ||
        bucket.limit === outcome.limit;
      bucket.leave(round, isMeant ? outcome : undefined, sharedBy(key, bucket));
      // Recovered: from here on each route and channel goes by its own 429s again.
      if (bucket === this.#global && bucket.phase === 'open') this.#global = undefined;
    }
    if (outcome.kind === 'limited') {
      const own = this.#limited(key, places, outcome);
      if (key.interactionId !== undefined) this.#limited(ofInteraction(key), places, outcome);
      if (!isApart(key)) {
        this.#findSharing(own.limit);
        this.#report(own);
      }
    } else if (outcome.kind === 'accepted' && !isApart(key)) {
      this.#acceptedAtMs = Math.max(this.#acceptedAtMs, sentAtMs);
    }
  }

  /** Notes a 429 of a request that was sent without the bucket, or whose bucket was forgotten meanwhile. */
  #limited(key: LimitKey, places: Permit['places'], outcome: LimitOutcome): Bucket {
    const own = this.#find(key) ?? this.#open(key);
    if (!places.some(({ bucket }) => bucket === own))
      own.leave(own.enter().round, outcome, sharedBy(key, own));
    return own;
  }

  /** Every bucket that a 429 limits, as plain data. */
  snapshot(): readonly LimitedBucket[] {
    return this.#all().flatMap((bucket) => bucket.snapshot());
  }

  /** The pauses that the next run has to wait out. */
  pauses(): readonly Pause[] {
    const isLasting = ({ key, pausedForMs }: Bucket): boolean => !isApart(key) && pausedForMs > 0;
    return this.#all().filter(isLasting).map(pauseOf);
  }

  #report(own: Bucket): void {
    for (const bucket of this.#global ? [own, this.#global] : [own])
      for (const listener of this.#listeners) listener(pauseOf(bucket));
  }

  #all(): Bucket[] {
    return [...this.#buckets.values(), ...(this.#global ? [this.#global] : [])];
  }

  /**
   * The buckets that hold a request back, the widest first. That everything shares a limit is inferred: an answer to
   * a command is dead after a few seconds, so it is held back only by a 429 of its own route.
   */
  #bucketsOf(key: LimitKey): Bucket[] {
    const buckets = this.#global && !isApart(key) ? [this.#global] : [];
    const own = this.#find(key);
    if (own) buckets.push(own);
    // The bucket of all interactions comes with the first one that is limited.
    const ofOne = own && key.interactionId !== undefined && this.#find(ofInteraction(key));
    if (ofOne) buckets.push(ofOne);
    return buckets;
  }

  #find(key: LimitKey): Bucket | undefined {
    return this.#buckets.get(nameOf(key));
  }

  #open(key: LimitKey): Bucket {
    const bucket = new Bucket(key, this.#clock);
    this.#buckets.set(nameOf(key), bucket);
    return bucket;
  }

  #share(): Bucket {
    return (this.#global ??= new Bucket(EVERYTHING, this.#clock));
  }

  /**
   * Pauses everything when different routes share the limit that was just met, as far as the 429s show it. Only 429s
   * that state the same limit count, and only when no more than that limit went through all of them together: routes
   * with a limit each can reach theirs at the same time. A request that was sent and accepted during the pause speaks
   * against it too.
   */
  #findSharing(limit: number | undefined): void {
    if (limit === undefined) return;
    const isAlike = (each: Bucket): boolean =>
      !isApart(each.key) && each.limit === limit && each.pausedForMs > 0;
    const alike = this.#buckets.values().filter(isAlike);
    if (new Set(alike.map(({ key }) => key.route)).size < ROUTES_FOR_GLOBAL) return;
    // Those of an earlier round may still be accepted.
    const used = alike.reduce((sum, each) => sum + each.used + each.inFlight - each.fresh, 0);
    const began = Math.min(...alike.map(({ limitedAtMs }) => limitedAtMs));
    if (used > limit || this.#acceptedAtMs > began) return;
    const shared = this.#share();
    shared.limit = limit;
    shared.limited = Math.max(shared.limited, 1);
    shared.limitedAtMs = this.#clock.monotonic();
    shared.pause(
      Math.max(...alike.map(({ pausedUntilMs }) => pausedUntilMs), shared.pausedUntilMs),
    );
  }
}

function pauseOf({ key: { route, major }, pausedForMs }: Bucket): Pause {
  return { route, major, pausedForMs };
}

function nameOf({ route, major, lane = 'general' }: LimitKey): string {
  return `${lane} ${route} ${major}`;
}

/** The bucket of one interaction alone. */
function ofInteraction({ route, interactionId = '', lane }: LimitKey): LimitKey {
  return { route, major: interactionId, lane };
}

/** The interaction of a request, if others share the bucket. */
function sharedBy({ interactionId }: LimitKey, { key }: Bucket): string | undefined {
  return key.major === '' ? interactionId : undefined;
}

function isApart({ lane = 'general' }: LimitKey): boolean {
  return lane !== 'general';
}
