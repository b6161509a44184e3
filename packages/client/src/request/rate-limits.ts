import type { Clock } from '@virgule/core/clock';
import { Bucket, type LimitedAnswer, type Place } from './bucket.js';
import type { LimitedBucket } from './limits-snapshot.js';
import { LruMap } from '@virgule/core/collections';
import type { SavedPause } from './saved-pauses.js';
import { findSharing } from './shared-limits.js';

/** What a request is counted with. */
export interface LimitKey {
  /** The method, `messages.send`: as good as HTTP method and path. */
  readonly route: string;
  /** The id its path begins with, or nothing. */
  readonly major: string;
  /** The id serves for a few requests only, so that nothing is kept for it while it has no limit. */
  readonly isBrief?: boolean | undefined;
  /** It goes to another server, which shares no limit with the platform. */
  readonly isForeign?: boolean | undefined;
}

/** The outcome of a request, as far as limits are concerned. */
export type LimitOutcome =
  /** Any answer but a 429. */
  | { readonly kind: 'accepted' }
  | ({ readonly kind: 'limited' } & LimitedAnswer)
  /** It may have arrived; no answer says so. */
  | { readonly kind: 'lost' }
  /** It never left. */
  | { readonly kind: 'unsent' };

/** Why a request may not go yet: which bucket, and until when (`undefined`: until another is done). */
export interface Denial {
  readonly gate: Bucket;
  readonly untilMs: number | undefined;
}

/** A request's places in its buckets. Has to be released exactly once. */
export interface Permit {
  readonly key: LimitKey;
  readonly sentAtMs: number;
  readonly places: readonly Place[];
}

export interface RateLimitsOptions {
  /** Pauses of an earlier run. */
  readonly saved?: readonly SavedPause[] | undefined;
  /** Called after each 429. Must not throw. */
  readonly onLimited?: (() => void) | undefined;
}

/** Routes of channels that are remembered. A pause is not forgotten for others. */
const MAX_BUCKETS = 3_000;
/** Interactions that were answered 429. */
const MAX_BRIEF_BUCKETS = 500;
/** Paused buckets among which those that share a limit are looked for: the latest. */
const MAX_PAUSED = 100;

/**
 * Obeys the platform's rate limits. What a 429 states is law, and nothing is guessed: it pauses its
 * bucket (one route of one channel) for `Retry-After`; then one request goes first, and one more at a
 * time with each success; a stated `X-RateLimit-Limit` is how many go before the next 429 is expected.
 * It decides and never waits, and asks the clock only what time it is.
 */
export class RateLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onLimited: RateLimitsOptions['onLimited'];
  readonly #buckets: LruMap<Bucket>;
  readonly #brief: LruMap<Bucket>;
  /** Those that several buckets share, while they do. */
  readonly #routes = new Map<string, Bucket>();
  #global: Bucket | undefined;
  readonly #paused = new Set<Bucket>();
  /** By route: when the last request was sent that was accepted. */
  readonly #acceptedAtMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>, { saved = [], onLimited }: RateLimitsOptions = {}) {
    this.#clock = clock;
    this.#onLimited = onLimited;
    const keep = (bucket: Bucket): boolean => bucket.pausedForMs(clock.monotonic()) > 0;
    this.#buckets = new LruMap({ maxSize: MAX_BUCKETS, keep });
    this.#brief = new LruMap({ maxSize: MAX_BRIEF_BUCKETS, keep });
    for (const { scope, route, major, pausedForMs } of saved) {
      const bucket = scope === 'bucket' ? this.#open({ route, major }) : this.#share(scope, route);
      bucket.pause(clock.monotonic() + pausedForMs);
    }
  }

  /** Why a request may not go now, or nothing when it may. */
  ask(key: LimitKey): Denial | undefined {
    let denial: Denial | undefined;
    for (const gate of this.#gates(key)) {
      const admission = gate.admit(this.#clock.monotonic());
      if (admission === 'go') continue;
      const untilMs = admission === 'busy' ? undefined : admission;
      // The longest of several pauses: whether it fits a deadline is decided by it.
      if (!denial || (untilMs ?? 0) > (denial.untilMs ?? 0)) denial = { gate, untilMs };
    }
    return denial;
  }

  /** A request goes. */
  take(key: LimitKey): Permit {
    const sentAtMs = this.#clock.monotonic();
    const own = this.#find(key) ?? this.#open(key);
    const places = [...this.#shared(key), own].map((bucket) => bucket.enter(sentAtMs));
    return { key, sentAtMs, places };
  }

  /** The request is over. Returns the buckets in which others may go now. */
  release({ key, sentAtMs, places }: Permit, outcome: LimitOutcome): readonly Bucket[] {
    for (const { bucket, round } of places) bucket.leave(round);
    switch (outcome.kind) {
      case 'unsent':
        for (const { bucket, round } of places) bucket.noteUnsent(round);
        break;
      case 'lost':
        for (const { bucket, round } of places) bucket.noteLost(round);
        break;
      case 'accepted':
        for (const place of places) this.#accept(place);
        if (this.#paused.size > 0 && !key.isForeign) this.#acceptedAtMs.set(key.route, sentAtMs);
        break;
      case 'limited':
        this.#limit(key, places, outcome);
        this.#onLimited?.();
    }
    return places.map(({ bucket }) => bucket);
  }

  /** Every bucket that was answered 429, as plain data. */
  snapshot(): readonly LimitedBucket[] {
    const nowMs = this.#clock.monotonic();
    return this.#all()
      .filter(({ phase, limited }) => limited > 0 || phase !== 'open')
      .map((bucket) => {
        const { scope, route, major, phase, inFlight, limit, limited, limitedAtMs } = bucket;
        return {
          scope,
          route,
          major,
          phase,
          pausedForMs: bucket.pausedForMs(nowMs),
          inFlight,
          maxInFlight: phase === 'open' ? undefined : bucket.maxInFlight,
          limit,
          limited,
          lastLimitedAgoMs: limited === 0 ? undefined : nowMs - limitedAtMs,
        };
      });
  }

  /** The pauses that the next run has to wait out. */
  pauses(): readonly SavedPause[] {
    const nowMs = this.#clock.monotonic();
    return [...this.#buckets.values(), ...this.#wide()]
      .filter((bucket) => bucket.pausedForMs(nowMs) > 0)
      .map((bucket) => ({
        scope: bucket.scope,
        route: bucket.route,
        major: bucket.major,
        pausedForMs: bucket.pausedForMs(nowMs),
      }));
  }

  #wide(): readonly Bucket[] {
    return [...this.#routes.values(), ...(this.#global ? [this.#global] : [])];
  }

  #all(): readonly Bucket[] {
    return [...this.#buckets.values(), ...this.#brief.values(), ...this.#wide()];
  }

  #gates(key: LimitKey): readonly Bucket[] {
    const own = this.#find(key);
    const shared = this.#shared(key);
    return own ? [...shared, own] : shared;
  }

  #shared({ route, isForeign }: LimitKey): readonly Bucket[] {
    if (isForeign || (!this.#global && this.#routes.size === 0)) return [];
    const wide = this.#routes.get(route);
    return [...(this.#global ? [this.#global] : []), ...(wide ? [wide] : [])];
  }

  #find(key: LimitKey): Bucket | undefined {
    if (!key.isBrief) return this.#buckets.get(nameOf(key));
    // Every answer to a command passes here: its name is put together only when there is one to find.
    return this.#brief.size === 0 ? undefined : this.#brief.get(nameOf(key));
  }

  #open(key: LimitKey): Bucket {
    const bucket = new Bucket('bucket', key.route, key.major);
    if (!key.isBrief) this.#buckets.set(nameOf(key), bucket);
    return bucket;
  }

  #share(scope: 'route' | 'global', route: string): Bucket {
    if (scope === 'global') return (this.#global ??= new Bucket(scope, '', ''));
    const known = this.#routes.get(route) ?? new Bucket(scope, route, '');
    this.#routes.set(route, known);
    return known;
  }

  #accept({ bucket, round }: Place): void {
    bucket.noteAccepted(round);
    // Recovered: from here on each route and channel goes by its own 429s again.
    if (bucket.phase !== 'open' || bucket.scope === 'bucket') return;
    if (bucket === this.#global) this.#global = undefined;
    else if (this.#routes.get(bucket.route) === bucket) this.#routes.delete(bucket.route);
  }

  #limit(key: LimitKey, places: readonly Place[], answer: LimitedAnswer): void {
    const nowMs = this.#clock.monotonic();
    for (const { bucket, round } of places) {
      const isOwn = bucket.scope === 'bucket';
      // A shared bucket is meant when the limit is its own.
      if (isOwn || bucket.limit === undefined || bucket.limit === answer.limit) {
        bucket.noteLimited(round, answer, nowMs);
      }
      if (!isOwn) continue;
      if (key.isBrief) this.#brief.set(nameOf(key), bucket);
      if (!key.isForeign) this.#findSharing(bucket, nowMs);
    }
  }

  /** Pauses all that share the limit which was just met, as far as the 429s show it. */
  #findSharing(bucket: Bucket, nowMs: number): void {
    this.#paused.delete(bucket);
    this.#paused.add(bucket);
    for (const paused of this.#paused) {
      const isTooMany = this.#paused.size > MAX_PAUSED;
      if (isTooMany || paused.pausedForMs(nowMs) === 0) this.#paused.delete(paused);
    }
    const found = findSharing(bucket, this.#paused, this.#acceptedAtMs);
    if (!found) return;
    const wide = this.#share(found.scope, bucket.route);
    wide.limit = bucket.limit;
    wide.limited = Math.max(wide.limited, 1);
    wide.limitedAtMs = nowMs;
    wide.pause(Math.max(wide.pausedUntilMs, found.untilMs));
  }
}

function nameOf({ route, major }: LimitKey): string {
  return `${route} ${major}`;
}
