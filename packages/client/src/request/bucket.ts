import type { Clock } from '@virgule/core/clock';
import type { Lane } from './pool.js';

/** What a request is counted with. */
export interface LimitKey {
  /** The method, `messages.send`: as good as HTTP method and path. */
  readonly route: string;
  /** The id its path begins with, or nothing; nothing for an interaction, which is new each time. */
  readonly major: string;
  /**
   * A bucket is of one lane. Limits of interactions and of other servers say nothing about other requests, nor those of
   * others about them.
   *
   * @defaultValue `general`
   */
  readonly lane?: Lane | undefined;
  /** Of a call of an interaction. */
  readonly interactionId?: string | undefined;
}

/** A bucket that was answered 429 and has not recovered. Times are in milliseconds from now. */
export interface LimitedBucket {
  /** The method of this client, `messages.send`; empty when everything is meant. */
  readonly route: string;
  /** The id the path begins with; empty when it has none, and for the limit that interactions share. */
  readonly major: string;
  /** `paused` by a 429; `flowing`: the pause is over, one request goes first, then one more with each success. */
  readonly phase: 'paused' | 'flowing';
  /** Until the pause is over; 0 when there is none. */
  readonly pausedForMs: number;
  /** Requests in flight. */
  readonly inFlight: number;
  /** How many may be in flight at once. */
  readonly maxInFlight: number;
  /** `X-RateLimit-Limit` as the last 429 stated it. `undefined` when it stated none, or when more went through since. */
  readonly limit: number | undefined;
  /** 429s so far; 0 when the pause is of an earlier run or of another client. */
  readonly limited: number;
}

export interface Place {
  readonly bucket: Bucket;
  readonly round: number;
}

/** The outcome of a request, as far as limits are concerned. */
export type LimitOutcome =
  /** Any answer but a 429; `lost`: it may have arrived, and no answer says so; `unsent`: it never left. */
  | { readonly kind: 'accepted' | 'lost' | 'unsent' }
  | {
      readonly kind: 'limited';
      /** The wait: what the answer states, or what is assumed when it states none. In milliseconds. */
      readonly retryAfterMs: number;
      readonly stated: boolean;
      /** `X-RateLimit-Limit`, 1 or more. */
      readonly limit?: number | undefined;
      /** Added to the wait, in milliseconds. */
      readonly jitterMs: number;
    };

/** May a request go: yes, not before another one has ended, or not before a time in milliseconds. */
export type Admission = 'go' | 'busy' | number;

/** With this many at once a bucket counts as recovered. */
const RECOVERED_IN_FLIGHT = 32;

/** A wait that no answer states doubles up to this. */
const MAX_ASSUMED_PAUSE_MS = 60_000;

/**
 * That interactions share a limit is inferred, so no pause for it is longer, in milliseconds: then one asks again. Each
 * waits as long as its own 429 said.
 */
const MAX_SHARED_PAUSE_MS = 5_000;

/** While one interaction shows whether others are limited, another one goes after this time, in milliseconds. */
const PROBE_PATIENCE_MS = 250;

/** No pause is longer, whatever was stated: after it one request asks again. */
export const MAX_PAUSE_MS = 3_600_000;

/** The limit of one route of one channel (server, interaction), or of everything. */
export class Bucket {
  readonly key: LimitKey;
  readonly #clock: Pick<Clock, 'monotonic'>;
  phase: LimitedBucket['phase'] | 'open' = 'open';
  pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** `X-RateLimit-Limit` of the last 429. */
  limit: number | undefined;
  /** Requests that may be in flight at once: 1 after a pause, one more with each success. */
  maxInFlight = 1;
  inFlight = 0;
  /** Requests of this round that are in flight. A round begins at the end of each pause. */
  fresh = 0;
  /** Requests that were accepted or lost in this round, or are in flight and belong to it. */
  used = 0;
  limited = 0;
  limitedAtMs = Number.NEGATIVE_INFINITY;
  #round = 0;
  /** The interaction whose 429 may be about it alone. */
  #suspect: string | undefined;
  #enteredAtMs = Number.NEGATIVE_INFINITY;
  /** 429s in a row that stated no wait. */
  #silent = 0;

  constructor(key: LimitKey, clock: Pick<Clock, 'monotonic'>) {
    this.key = key;
    this.#clock = clock;
  }

  /** Time until its pause is over, in milliseconds; 0 when there is none. */
  get pausedForMs(): number {
    return this.phase === 'paused' ? Math.max(0, this.pausedUntilMs - this.#clock.monotonic()) : 0;
  }

  ask(): Admission {
    if (this.phase === 'open') return 'go';
    this.#passTime();
    if (this.phase === 'paused') return this.pausedUntilMs;
    const { limit = Number.POSITIVE_INFINITY, fresh, maxInFlight, used } = this;
    // One that hangs must not hold up all others.
    const probeAtMs = this.#enteredAtMs + PROBE_PATIENCE_MS;
    if (this.#suspect !== undefined && fresh > 0)
      return probeAtMs <= this.#clock.monotonic() ? 'go' : probeAtMs;
    // The one more shows whether the limit still holds: its 429 states how long to wait for the next window.
    return fresh === 0 || (fresh < maxInFlight && used <= limit) ? 'go' : 'busy';
  }

  /** A request goes. */
  enter(): Place {
    this.#passTime();
    this.inFlight += 1;
    this.fresh += 1;
    this.used += 1;
    this.#enteredAtMs = this.#clock.monotonic();
    return { bucket: this, round: this.#round };
  }

  /**
   * The request is over. An outcome that is not given says nothing about this bucket. `interactionId` is given when
   * interactions share it.
   */
  leave(round: number, outcome: LimitOutcome | undefined, interactionId?: string): void {
    const isFresh = round === this.#round;
    this.inFlight -= 1;
    if (isFresh) this.fresh -= 1;
    switch (outcome?.kind) {
      case 'limited':
        if (!this.#suspects(interactionId)) this.#noteLimited(round, outcome, interactionId);
        break;
      case 'unsent':
        if (isFresh) this.used -= 1;
        break;
      case 'accepted':
      case 'lost':
        // One that was sent before the pause may have been counted after it; one that was lost, too.
        if (!isFresh) this.used += 1;
        else if (outcome.kind === 'accepted') this.#noteAccepted();
        else this.#dropRefutedLimit();
        break;
      case undefined:
    }
  }

  /** Returns whether a 429 may be about its interaction alone: then another one shows it. */
  #suspects(interactionId: string | undefined): boolean {
    const isFirst = this.phase === 'open' || this.#suspect === interactionId;
    this.#suspect = isFirst ? interactionId : undefined;
    if (this.#suspect === undefined) return false;
    this.#flow();
    return true;
  }

  #noteAccepted(): void {
    if (this.phase === 'open' || this.phase === 'paused') return;
    if (this.#suspect !== undefined) this.phase = 'open';
    this.#silent = 0;
    this.maxInFlight += 1;
    this.#dropRefutedLimit();
    if (this.limit === undefined && this.maxInFlight >= RECOVERED_IN_FLIGHT) this.phase = 'open';
  }

  #noteLimited(
    round: number,
    { retryAfterMs, stated, limit, jitterMs }: Extract<LimitOutcome, { kind: 'limited' }>,
    interactionId: string | undefined,
  ): void {
    const nowMs = this.#clock.monotonic();
    this.#passTime();
    const isFirst = this.phase !== 'paused';
    if (round === this.#round) this.used -= 1;
    if (isFirst && !stated) this.#silent += 1;
    const maxMs = interactionId === undefined ? MAX_PAUSE_MS : MAX_SHARED_PAUSE_MS;
    const waitMs = stated
      ? Math.min(retryAfterMs, maxMs)
      : Math.min(retryAfterMs * 2 ** Math.max(0, this.#silent - 1), MAX_ASSUMED_PAUSE_MS);
    const untilMs = nowMs + waitMs + jitterMs;
    this.limited += 1;
    this.limit = limit;
    if (!isFirst) {
      this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
      return;
    }
    this.limitedAtMs = nowMs;
    this.pause(untilMs);
  }

  /** Holds it back until a time, as if a 429 had asked for it. */
  pause(untilMs: number): void {
    this.phase = 'paused';
    this.pausedUntilMs = untilMs;
    this.maxInFlight = 1;
  }

  /** Returns it as plain data; nothing while no 429 is in force. */
  snapshot(): readonly LimitedBucket[] {
    const { key, phase, pausedForMs, inFlight, maxInFlight, limit, limited } = this;
    const { route, major } = key;
    if (phase === 'open') return [];
    return [{ route, major, phase, pausedForMs, inFlight, maxInFlight, limit, limited }];
  }

  #passTime(): void {
    if (this.phase === 'paused' && this.pausedForMs === 0) this.#flow();
  }

  /** Begins a round: one request goes first. */
  #flow(): void {
    this.phase = 'flowing';
    this.maxInFlight = 1;
    this.#round += 1;
    this.fresh = 0;
    this.used = 0;
  }

  /** More than the stated limit went through without a 429: it does not hold any more. */
  #dropRefutedLimit(): void {
    const { limit, used, fresh } = this;
    if (limit !== undefined && used > limit && fresh === 0) this.limit = undefined;
  }
}
