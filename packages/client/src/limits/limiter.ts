import type { Clock } from '@virgule/core/clock';
import type { HttpHeaders } from '../http/http-dispatcher.js';
import { admit, type Admission } from './admission.js';
import {
  beginLearning,
  createBucket,
  earlierStake,
  enter,
  isGuess,
  isPaused,
  leave,
  type Bucket,
  type Stake,
} from './bucket.js';
import { describeBucket } from './describe-bucket.js';
import { joinLanes, laneName, type Lane } from './lane.js';
import { LONGEST_GUESS_MS, noteAccepted, noteLimited, noteLost, noteReset } from './learning.js';
import type { LearnedLimits } from './limits-snapshot.js';
import { LruMap } from './lru-map.js';
import { findMerge, refute, type MergeEvidence } from './merge.js';
import { Merges } from './merges.js';
import { poolLearned, poolPaused } from './pool-learned.js';
import { readRateHeaders, type RateHeaders } from './rate-headers.js';
import { ResetReader } from './reset-reader.js';
import {
  restoreBucket,
  saveBuckets,
  type RestoredLimits,
  type SavedBucket,
  type SavedLimits,
} from './saved-limits.js';
import { SharedReadings } from './shared-readings.js';

/** What a request is counted with. */
export interface LimitKey extends Lane {
  /** The method, `messages.send`: as good as HTTP method and path. */
  readonly route: string;
  /** The id its path begins with, or nothing. */
  readonly major: string;
  /** The id serves for a few requests only, so that nothing is kept for it while it has no limit. */
  readonly isBrief?: boolean | undefined;
}

/** What became of a request, as far as limits go. */
export type LimitOutcome =
  /** Any answer but a 429. */
  | { readonly kind: 'accepted'; readonly headers: HttpHeaders }
  | {
      readonly kind: 'limited';
      readonly headers: HttpHeaders;
      /** The wait: what the answer states, or what stands in for it. In milliseconds. */
      readonly retryAfterMs: number;
      /** Whether the answer states it. */
      readonly stated: boolean;
      /** Added to the wait, in milliseconds. */
      readonly jitterMs: number;
    }
  /** It may have arrived; no answer says so. */
  | { readonly kind: 'lost' }
  /** It never left. */
  | { readonly kind: 'unsent' };

type Answered = Exclude<LimitOutcome, { readonly kind: 'lost' | 'unsent' }>;

/** Why a request may not go yet: who says so, and until when (`undefined`: until another is done). */
export interface Denial {
  readonly gate: Bucket;
  readonly untilMs: number | undefined;
}

/** A request's place in its bucket. Has to be given back exactly once. */
export interface Permit {
  readonly key: LimitKey;
  readonly stake: Stake;
}

export interface LimiterOptions {
  /** What an earlier run found out. */
  readonly saved?: RestoredLimits | undefined;
  /** Told of each 429: what is known may have changed. Must not throw. */
  readonly onLimited?: (() => void) | undefined;
}

/** Buckets about which nothing is known, and those that have a limit. */
const MOST_OPEN = 2_000;
const MOST_LEARNED = 1_000;

/** So many routes of channels are found to share a limit at most. */
const MOST_SHARING = 50;

/** No window is believed to last longer. */
const LONGEST_WINDOW_MS = 3_600_000;

/**
 * Finds out what the platform allows, which is not documented. Buckets begin unlimited; a 429 pauses
 * its bucket, one pioneer goes when the pause is over, then one more at a time with each success.
 * What was counted before a 429 and what headers say becomes a ceiling. It decides and remembers;
 * it never waits, and asks the clock only what time it is.
 */
export class Limiter {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #onLimited: LimiterOptions['onLimited'];
  readonly #open = new LruMap<Bucket>({ maxSize: MOST_OPEN });
  readonly #learned: LruMap<Bucket>;
  readonly #merges: Merges;
  readonly #paused = new Set<Bucket>();
  readonly #readings = new SharedReadings();
  readonly #resets: ResetReader;
  /** From then on what an earlier run sent is in no window any more. */
  #countsFromMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, { saved, onLimited }: LimiterOptions = {}) {
    this.#clock = clock;
    this.#onLimited = onLimited;
    this.#resets = new ResetReader(clock);
    const keep = (bucket: Bucket): boolean =>
      bucket.inFlight > 0 || isPaused(bucket, clock.monotonic());
    this.#learned = new LruMap({ maxSize: MOST_LEARNED, keep });
    this.#merges = new Merges({
      clock,
      keep,
      onGivenUp: (wide, lanes) => this.#takeOver(wide, lanes),
    });
    if (!saved) return;
    this.#countsFromMs = clock.monotonic() + LONGEST_GUESS_MS - saved.agoMs;
    for (const bucket of saved.buckets) this.#restore(bucket);
  }

  /** Why a request may not go now, or nothing when it may. */
  ask(key: LimitKey): Denial | undefined {
    const gate = this.#ruling(key);
    if (!gate?.learned) return undefined;
    const admission: Admission = admit(gate, this.#clock.monotonic());
    if (admission === 'go') return undefined;
    return { gate, untilMs: admission === 'busy' ? undefined : admission };
  }

  /** A request goes. */
  take(key: LimitKey): Permit {
    const bucket = this.#ruling(key) ?? this.#create(key);
    return { key, stake: enter(bucket, this.#clock.monotonic()) };
  }

  /** The request is over. Gives the buckets in which others may go now. */
  giveBack({ key, stake: sent }: Permit, outcome: LimitOutcome): readonly Bucket[] {
    leave(sent);
    if (outcome.kind === 'unsent') return [sent.bucket];
    const nowMs = this.#clock.monotonic();
    const ruling = this.#ruling(key) ?? sent.bucket;
    const stake = ruling === sent.bucket ? sent : earlierStake(ruling, sent);
    if (outcome.kind === 'lost') {
      noteLost(stake, nowMs);
      this.#readings.interrupt(ruling);
    } else {
      this.#learn(stake, outcome, nowMs);
    }
    return ruling === sent.bucket ? [ruling] : [ruling, sent.bucket];
  }

  #learn(stake: Stake, outcome: Answered, nowMs: number): void {
    const { bucket } = stake;
    const headers = readRateHeaders(outcome.headers);
    if (outcome.kind === 'limited') {
      const { pauses } = noteLimited(stake, { ...outcome, headers }, nowMs);
      if (outcome.stated) this.#resets.sight(headers, outcome.retryAfterMs, outcome.headers);
      this.#readings.interrupt(bucket);
      // Until then the first pause of a bucket shows nothing: nobody knows how much had gone through.
      if (pauses > 1 || nowMs >= this.#countsFromMs) this.#merge(bucket, nowMs);
      this.#onLimited?.();
    } else {
      noteAccepted(stake, headers, nowMs);
      refute(stake, this.#paused, nowMs);
    }
    if (headers.reset !== undefined) this.#useReset(bucket, headers, outcome.headers, nowMs);
    this.#keep(bucket);
    if (outcome.kind === 'accepted' && !bucket.isBrief) this.#compare(stake, headers, nowMs);
  }

  snapshot(): LearnedLimits {
    const nowMs = this.#clock.monotonic();
    return {
      buckets: this.#limited().flatMap((bucket) => describeBucket(bucket, nowMs) ?? []),
      merges: this.#merges.describe(nowMs),
      reset: { ...this.#resets.known },
    };
  }

  /** What the next run can begin with. */
  save(): SavedLimits {
    const evidenceOf = (bucket: Bucket): MergeEvidence | undefined =>
      this.#merges.evidenceOf(bucket);
    return {
      savedAtMs: this.#clock.now(),
      buckets: saveBuckets(this.#limited(), evidenceOf, this.#clock.monotonic()),
    };
  }

  #limited(): readonly Bucket[] {
    return [...this.#learned.values(), ...this.#merges.all()];
  }

  #restore(saved: SavedBucket): void {
    const { scope, route, major, merge } = saved;
    const nowMs = this.#clock.monotonic();
    const bucket =
      scope === 'bucket' ? createBucket(scope, route, major) : this.#merges.open(scope, saved);
    restoreBucket(bucket, saved, nowMs);
    if (scope === 'bucket') this.#learned.set(laneName(bucket), bucket);
    else if (merge) this.#merges.begin(bucket, { ...merge, into: scope }, nowMs);
  }

  /** The bucket whose limit holds for a request; nothing when nothing is known of it. */
  #ruling(key: LimitKey): Bucket | undefined {
    if (key.isBrief && this.#learned.size === 0 && this.#merges.areNone) return undefined;
    const name = laneName(key);
    return (
      this.#merges.ruling(key.route, name) ??
      this.#learned.get(name) ??
      this.#open.get(name) ??
      this.#inherit(key, name)
    );
  }

  /** A bucket that begins with what was learned while it was a part of another. */
  #inherit({ route, major, isBrief }: LimitKey, name: string): Bucket | undefined {
    const former = this.#merges.former(route);
    if (!former) return undefined;
    const bucket = createBucket('bucket', route, major, isBrief);
    beginLearning(bucket, this.#clock.monotonic(), former);
    this.#learned.set(name, bucket);
    return bucket;
  }

  #create(key: LimitKey): Bucket {
    const bucket = createBucket('bucket', key.route, key.major, key.isBrief);
    if (!key.isBrief) this.#open.set(laneName(key), bucket);
    return bucket;
  }

  /** A bucket with a limit moves to where it is not forgotten among thousands without. */
  #keep(bucket: Bucket): void {
    if (bucket.scope !== 'bucket' || !bucket.learned) return;
    const name = laneName(bucket);
    if (this.#learned.get(name)) return;
    this.#open.delete(name);
    this.#learned.set(name, bucket);
  }

  #merge(bucket: Bucket, nowMs: number): void {
    this.#paused.add(bucket);
    for (const paused of this.#paused) if (!isPaused(paused, nowMs)) this.#paused.delete(paused);
    const evidence = findMerge(bucket, this.#paused);
    const { learned } = bucket;
    if (!evidence || !learned) return;
    const { into } = evidence;
    const wide = this.#merges.open(into, bucket);
    // Also those whose pause is no evidence: what they were told to wait holds under the merge too.
    const narrow = [...new Set([...this.#paused, ...this.#limited()])].filter(
      (each) =>
        isPaused(each, nowMs) &&
        each.scope !== 'global' &&
        (into === 'global' || each.route === wide.route),
    );
    wide.epoch += 1;
    wide.fresh = 0;
    wide.learned = poolPaused(narrow, learned);
    for (const each of narrow) this.#absorb(each);
    this.#paused.add(wide);
    this.#merges.begin(wide, evidence, nowMs);
  }

  /** Buckets whose readings are one falling sequence are one. */
  #compare(stake: Stake, { limit, remaining }: RateHeaders, nowMs: number): void {
    const { bucket } = stake;
    if (isGuess(bucket)) return;
    if (limit === undefined || remaining === undefined) return this.#readings.interrupt(bucket);
    const sharing = this.#readings.note(stake, limit, remaining, nowMs);
    const { learned } = bucket;
    if (sharing.length === 0 || !learned) return;
    const names = sharing.flatMap(
      (each) => this.#merges.evidenceOf(each)?.members ?? laneName(each),
    );
    if (names.length > MOST_SHARING) return;
    const wide = this.#merges.open('shared', joinLanes(names));
    wide.accepted = sharing.reduce((sum, { accepted }) => sum + accepted, 0);
    wide.learned = poolLearned(sharing, learned, limit);
    for (const each of sharing) this.#absorb(each);
    this.#merges.begin(wide, { into: 'shared', limit, members: names }, nowMs);
  }

  #useReset(bucket: Bucket, rates: RateHeaders, headers: HttpHeaders, nowMs: number): void {
    const inMs = this.#resets.read(rates, headers);
    if (inMs !== undefined && inMs <= LONGEST_WINDOW_MS) noteReset(bucket, nowMs + inMs);
  }

  /** Another bucket rules from now on. */
  #absorb(bucket: Bucket): void {
    bucket.learned = undefined;
    this.#paused.delete(bucket);
    this.#readings.interrupt(bucket);
    this.#merges.end(bucket);
    this.#learned.delete(laneName(bucket));
  }

  /** A merge is given up: those that come after it go one by one first, as if they had been paused. */
  #takeOver(wide: Bucket, lanes: readonly Bucket[]): void {
    for (const lane of lanes) this.#learned.set(laneName(lane), lane);
    for (const [name, { route }] of this.#open.entries()) {
      if (wide.scope === 'global' || route === wide.route) this.#open.delete(name);
    }
  }
}
