import type { Clock } from '@virgule/core/clock';
import type { HttpHeaders } from '../http/http-dispatcher.js';
import { admit, type Admission } from './admission.js';
import {
  beginLearning,
  createBucket,
  earlierStake,
  enter,
  isPaused,
  leave,
  type Bucket,
  type Stake,
} from './bucket.js';
import { describeBucket } from './describe-bucket.js';
import { noteAccepted, noteLimited, noteLost, noteReset } from './learning.js';
import type { LearnedLimits } from './limits-snapshot.js';
import { LruMap } from './lru-map.js';
import { findMerge, type MergeEvidence } from './merge.js';
import { readRateHeaders, type RateHeaders } from './rate-headers.js';
import { calibrate, resetInMs, UNCALIBRATED } from './reset-calibration.js';

/** What a request is counted with. */
export interface LimitKey {
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

interface Merge {
  readonly evidence: MergeEvidence;
  readonly route: string;
  readonly atMs: number;
}

/** Buckets about which nothing is known, and those that have a limit. */
const MOST_OPEN = 2_000;
const MOST_LEARNED = 1_000;

/** Routes are few; upload addresses can be many. */
const MOST_ROUTES = 200;

/** A merge without a 429 for so long is given up. */
const MERGE_QUIET_MS = 600_000;

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
  readonly #open = new LruMap<Bucket>({ maxSize: MOST_OPEN });
  readonly #learned: LruMap<Bucket>;
  readonly #routes: LruMap<Bucket>;
  readonly #global = createBucket('global', '', '');
  readonly #merges = new Map<Bucket, Merge>();
  /** What a merge had learned, for the buckets that take over when it is given up. */
  readonly #former = new LruMap<Bucket>({ maxSize: MOST_ROUTES });
  readonly #paused = new Set<Bucket>();
  #calibration = UNCALIBRATED;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
    const keep = (bucket: Bucket): boolean =>
      bucket.inFlight > 0 || this.#merges.has(bucket) || isPaused(bucket, clock.monotonic());
    this.#learned = new LruMap({ maxSize: MOST_LEARNED, keep });
    this.#routes = new LruMap({ maxSize: MOST_ROUTES, keep });
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
    if (outcome.kind === 'lost') noteLost(stake, nowMs);
    else this.#learn(stake, outcome, nowMs);
    return ruling === sent.bucket ? [ruling] : [ruling, sent.bucket];
  }

  #learn(stake: Stake, outcome: Answered, nowMs: number): void {
    const headers = readRateHeaders(outcome.headers);
    if (outcome.kind === 'limited') {
      noteLimited(stake, { ...outcome, headers }, nowMs);
      this.#paused.add(stake.bucket);
      this.#calibrate(headers, outcome);
      this.#merge(stake.bucket, nowMs);
    } else {
      noteAccepted(stake, headers, nowMs);
      this.#refute(stake, nowMs);
    }
    this.#useReset(stake.bucket, headers, outcome.headers, nowMs);
    this.#keep(stake.bucket);
  }

  snapshot(): LearnedLimits {
    const nowMs = this.#clock.monotonic();
    const buckets = [...this.#learned.values(), ...this.#merges.keys()];
    return {
      buckets: buckets.flatMap((bucket) => describeBucket(bucket, nowMs) ?? []),
      merges: [...this.#merges.values()].map(({ evidence, route, atMs }) => ({
        ...evidence,
        members: [...evidence.members],
        route,
        agoMs: nowMs - atMs,
      })),
      reset: { ...this.#calibration },
    };
  }

  /** The bucket whose limit holds for a request; nothing when nothing is known of it. */
  #ruling(key: LimitKey): Bucket | undefined {
    if (this.#merges.size > 0) {
      this.#giveUpQuietMerges(this.#clock.monotonic());
      if (this.#merges.has(this.#global)) return this.#global;
      const route = this.#route(key);
      if (this.#merges.has(route)) return route;
    }
    return this.#own(key);
  }

  #own(key: LimitKey): Bucket | undefined {
    if (key.isBrief && this.#learned.size === 0 && this.#former.size === 0) return undefined;
    const name = nameOf(key);
    const known = this.#learned.get(name) ?? this.#open.get(name);
    if (known) return known;
    const former = (this.#former.get(key.route) ?? this.#former.get(''))?.learned;
    if (!former) return undefined;
    const bucket = createBucket('bucket', key.route, key.major);
    beginLearning(bucket, this.#clock.monotonic(), former);
    this.#learned.set(name, bucket);
    return bucket;
  }

  #create(key: LimitKey): Bucket {
    const bucket = createBucket('bucket', key.route, key.major);
    if (!key.isBrief) this.#open.set(nameOf(key), bucket);
    return bucket;
  }

  #route({ route }: LimitKey): Bucket {
    const known = this.#routes.get(route);
    if (known) return known;
    const bucket = createBucket('route', route, '');
    this.#routes.set(route, bucket);
    return bucket;
  }

  /** A bucket with a limit moves to where it is not forgotten among thousands without. */
  #keep(bucket: Bucket): void {
    if (bucket.scope !== 'bucket' || !bucket.learned) return;
    const name = nameOf(bucket);
    if (this.#learned.get(name)) return;
    this.#open.delete(name);
    this.#learned.set(name, bucket);
  }

  #merge(bucket: Bucket, nowMs: number): void {
    for (const paused of this.#paused) if (!isPaused(paused, nowMs)) this.#paused.delete(paused);
    const evidence = findMerge(bucket, this.#paused);
    const { learned } = bucket;
    if (!evidence || !learned || bucket.scope === 'global') return;
    const wide = evidence.into === 'global' ? this.#global : this.#route(bucket);
    const narrow = [...this.#paused].filter(
      ({ scope, route }) => scope !== 'global' && (wide === this.#global || route === wide.route),
    );
    wide.epoch += 1;
    wide.fresh = 0;
    wide.learned = {
      ...learned,
      log: [],
      sightings: [],
      remainingSetAt: 0,
      pausedUntilMs: Math.max(...narrow.map((each) => each.learned?.pausedUntilMs ?? 0)),
      refutedRoute: false,
      refutedGlobal: false,
    };
    for (const each of narrow) {
      each.learned = undefined;
      this.#paused.delete(each);
      this.#merges.delete(each);
      this.#learned.delete(nameOf(each));
    }
    this.#paused.add(wide);
    this.#merges.set(wide, { evidence, route: wide.route, atMs: nowMs });
  }

  /** A request that was sent and accepted during a pause shows that the two do not share a limit. */
  #refute({ bucket, sentAtMs }: Stake, nowMs: number): void {
    for (const paused of this.#paused) {
      const { learned } = paused;
      if (!learned || !isPaused(paused, nowMs)) this.#paused.delete(paused);
      else if (paused !== bucket && learned.limitedAtMs < sentAtMs) {
        if (paused.route === bucket.route) learned.refutedRoute = true;
        else learned.refutedGlobal = true;
      }
    }
  }

  #giveUpQuietMerges(nowMs: number): void {
    for (const wide of this.#merges.keys()) {
      if (nowMs - (wide.learned?.limitedAtMs ?? 0) < MERGE_QUIET_MS) continue;
      this.#merges.delete(wide);
      this.#former.set(wide.route, { ...wide });
      wide.learned = undefined;
      // Those that come after it go one by one first, as if they had been paused.
      for (const [name, { route }] of this.#open.entries()) {
        if (wide === this.#global || route === wide.route) this.#open.delete(name);
      }
    }
  }

  #calibrate(
    { reset }: RateHeaders,
    { stated, retryAfterMs, headers }: Extract<LimitOutcome, { kind: 'limited' }>,
  ): void {
    if (reset === undefined || !stated) return;
    const nowMs = this.#serverNowMs(headers);
    this.#calibration = calibrate(this.#calibration, { reset, retryAfterMs, nowMs });
  }

  #useReset(
    bucket: Bucket,
    { reset, remaining }: RateHeaders,
    headers: HttpHeaders,
    nowMs: number,
  ): void {
    if (reset === undefined || remaining === undefined) return;
    const inMs = resetInMs(this.#calibration, reset, this.#serverNowMs(headers));
    if (inMs !== undefined && inMs <= LONGEST_WINDOW_MS) noteReset(bucket, nowMs + inMs);
  }

  #serverNowMs({ date }: HttpHeaders): number {
    const stated = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    return Number.isNaN(stated) ? this.#clock.now() : stated;
  }
}

function nameOf({ route, major }: LimitKey): string {
  return `${route} ${major}`;
}
