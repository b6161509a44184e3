import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import { Bucket, type Denial, type LimitOutcome, type Place } from './bucket.js';
import type { LimitedBucket } from './limits-snapshot.js';

/** A pause that a 429 asked for; `pausedForMs` is what is left of it. */
export type Pause = Pick<LimitedBucket, 'scope' | 'route' | 'major' | 'pausedForMs'>;

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

/** A request's places in its buckets. Has to be released exactly once. */
export interface Permit {
  readonly key: LimitKey;
  readonly sentAtMs: number;
  readonly places: readonly Place[];
}

/** Routes of channels that are remembered. A pause is not forgotten for others. */
const MAX_BUCKETS = 3_000;
/** Interactions that were answered 429. */
const MAX_BRIEF_BUCKETS = 500;
/** Paused buckets among which those that share a limit are looked for: the latest. */
const MAX_PAUSED = 100;

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
  readonly #own: LruMap<Bucket>;
  readonly #brief: LruMap<Bucket>;
  /** Holds all of them back, while they share a limit. */
  #global: Bucket | undefined;
  readonly #paused = new Set<Bucket>();
  /** When the last request was sent that was accepted. */
  #acceptedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    const keep = (bucket: Bucket): boolean => bucket.pausedForMs(clock.monotonic()) > 0;
    this.#own = new LruMap({ maxSize: MAX_BUCKETS, keep });
    this.#brief = new LruMap({ maxSize: MAX_BRIEF_BUCKETS, keep });
  }

  /**
   * Calls a listener with each pause that a 429 asks for, except those of interactions and of other servers. It must
   * not throw.
   */
  onPause(listener: (pause: Pause) => void): void {
    this.#listeners.push(listener);
  }

  /** Pauses a bucket as an earlier run, or another client, was asked to. A longer pause of its own stays. */
  pause({ scope, route, major, pausedForMs }: Pause): void {
    const nowMs = this.#clock.monotonic();
    const key = { route, major };
    const bucket = scope === 'global' ? this.#share() : (this.#find(key) ?? this.#open(key));
    if (pausedForMs > bucket.pausedForMs(nowMs)) bucket.pause(nowMs + pausedForMs);
  }

  /** Why a request may not go now, or nothing when it may. */
  ask(key: LimitKey): Denial | undefined {
    let denial: Denial | undefined;
    for (const gate of this.#bucketsOf(key)) {
      const admission = gate.admit(this.#clock.monotonic());
      if (admission === 'go') continue;
      const untilMs = admission === 'busy' ? undefined : admission;
      // The longest of several pauses: whether it fits a deadline is decided by it.
      if (!denial || (untilMs ?? 0) > (denial.untilMs ?? 0)) denial = { gate, untilMs };
    }
    return denial;
  }

  take(key: LimitKey): Permit {
    const sentAtMs = this.#clock.monotonic();
    const buckets = this.#bucketsOf(key);
    if (!key.isBrief && buckets.at(-1)?.scope !== 'bucket') buckets.push(this.#open(key));
    return { key, sentAtMs, places: buckets.map((bucket) => bucket.enter(sentAtMs)) };
  }

  /** The request is over. Returns its places: others may go now in their buckets. */
  release({ key, sentAtMs, places }: Permit, outcome: LimitOutcome): readonly Place[] {
    const nowMs = this.#clock.monotonic();
    for (const { bucket, round } of places) {
      const { scope, limit } = bucket;
      // The global bucket is meant by a 429 when the limit is its own.
      const isMeant =
        outcome.kind !== 'limited' ||
        scope === 'bucket' ||
        limit === undefined ||
        limit === outcome.limit;
      bucket.leave(round, isMeant ? outcome : undefined, nowMs);
      // Recovered: from here on each route and channel goes by its own 429s again.
      if (bucket === this.#global && bucket.phase === 'open') this.#global = undefined;
    }
    if (outcome.kind === 'limited') {
      const own = this.#find(key) ?? this.#openLimited(key, outcome, nowMs);
      if (!key.isForeign) this.#findSharing(own, nowMs);
      if (!key.isForeign && !key.isBrief) this.#report(own, nowMs);
    } else if (outcome.kind === 'accepted' && this.#paused.size > 0 && !key.isForeign) {
      this.#acceptedAtMs = Math.max(this.#acceptedAtMs, sentAtMs);
    }
    return places;
  }

  /** Every bucket that was answered 429, as plain data. */
  snapshot(): readonly LimitedBucket[] {
    const nowMs = this.#clock.monotonic();
    return [...this.#lasting(), ...this.#brief.values()]
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
  pauses(): readonly Pause[] {
    const nowMs = this.#clock.monotonic();
    return this.#lasting()
      .map((bucket) => pauseOf(bucket, nowMs))
      .filter(({ pausedForMs }) => pausedForMs > 0);
  }

  #report(own: Bucket, nowMs: number): void {
    for (const bucket of this.#global ? [own, this.#global] : [own])
      for (const listener of this.#listeners) listener(pauseOf(bucket, nowMs));
  }

  #lasting(): Bucket[] {
    return [...this.#own.values(), ...(this.#global ? [this.#global] : [])];
  }

  /**
   * The buckets that hold a request back, the widest first. That everything shares a limit is inferred: an answer to
   * a command is dead after a few seconds, so it is held back only by a 429 of its own.
   */
  #bucketsOf(key: LimitKey): Bucket[] {
    const buckets = this.#global && !key.isForeign && !key.isBrief ? [this.#global] : [];
    const own = this.#find(key);
    if (own) buckets.push(own);
    return buckets;
  }

  #find(key: LimitKey): Bucket | undefined {
    if (!key.isBrief) return this.#own.get(nameOf(key));
    // Every answer to a command passes here: its name is put together only when there is one to find.
    return this.#brief.size === 0 ? undefined : this.#brief.get(nameOf(key));
  }

  #open(key: LimitKey): Bucket {
    const bucket = new Bucket('bucket', key.route, key.major);
    (key.isBrief ? this.#brief : this.#own).set(nameOf(key), bucket);
    return bucket;
  }

  /** Opens the bucket of a request that had none when it was sent. */
  #openLimited(key: LimitKey, outcome: LimitOutcome, nowMs: number): Bucket {
    const bucket = this.#open(key);
    bucket.leave(bucket.enter(nowMs).round, outcome, nowMs);
    return bucket;
  }

  #share(): Bucket {
    return (this.#global ??= new Bucket('global', '', ''));
  }

  /**
   * Pauses everything when different routes share the limit that was just met, as far as the 429s show it. Only 429s
   * that state the same limit count, and only when no more than that limit went through all of them together: routes
   * with a limit each can reach theirs at the same time. A request that was sent and accepted during the pause speaks
   * against it too.
   */
  #findSharing(bucket: Bucket, nowMs: number): void {
    const { limit } = bucket;
    this.#paused.delete(bucket);
    this.#paused.add(bucket);
    for (const paused of this.#paused) {
      const isTooMany = this.#paused.size > MAX_PAUSED;
      if (isTooMany || paused.pausedForMs(nowMs) === 0) this.#paused.delete(paused);
    }
    if (limit === undefined) return;
    const alike = [...this.#paused].filter((each) => each.limit === limit);
    if (new Set(alike.map(({ route }) => route)).size < ROUTES_FOR_GLOBAL) return;
    // Those of an earlier round may still be accepted.
    const used = alike.reduce((sum, each) => sum + each.used + each.inFlight - each.fresh, 0);
    const began = Math.min(...alike.map(({ limitedAtMs }) => limitedAtMs));
    if (used > limit || this.#acceptedAtMs > began) return;
    const shared = this.#share();
    shared.limit = limit;
    shared.limited = Math.max(shared.limited, 1);
    shared.limitedAtMs = nowMs;
    shared.pause(
      Math.max(...alike.map(({ pausedUntilMs }) => pausedUntilMs), shared.pausedUntilMs),
    );
  }
}

function pauseOf(bucket: Bucket, nowMs: number): Pause {
  const { scope, route, major } = bucket;
  return { scope, route, major, pausedForMs: bucket.pausedForMs(nowMs) };
}

function nameOf({ route, major }: LimitKey): string {
  return `${route} ${major}`;
}
