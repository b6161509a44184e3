import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Admission } from './bucket.js';

/** Reachability of an origin. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Number of faults in a row, without those of routes that the platform may lack. */
  readonly faults: number;
  /** True after 10 faults in a row: only a probe is sent every 1 to 2 s. */
  readonly isCircuitOpen: boolean;
}

/**
 * Outcome for the network: `outage` is an answer in place of the platform, which may concern only its route; a deadline or an
 * abort is `unknown`.
 */
export type NetworkOutcome = 'answered' | 'fault' | 'outage' | 'unknown';

/** Number of faults in a row after which only probes are sent. */
const FAULTS_TO_OPEN = 10;

/** Bounds of the random time from the last probe or fault to the next probe, in milliseconds. */
const PROBE_AFTER = { minMs: 1_000, maxMs: 2_000 };

/** Number of outages that count if only one route has any: a platform may lack the route. */
const FAULTS_OF_ROUTE = FAULTS_TO_OPEN - 1;

/** Time that a route with outages lets others probe first, at every second probe, in milliseconds; twice that for a missing route. */
const AFTER_OTHERS_MS = 100;

/** Maximum number of routes with outages: paths of raw requests are routes too. */
const MAX_ROUTES = 1_000;

/** Faults in a row of an origin or a route. */
interface Streak {
  faults: number;
  probeAtMs: number;
  /** True for a route that had ten outages when another route was answered: the platform may lack the route. */
  isMissing: boolean;
}

/**
 * Holds requests to an unreachable origin back. After ten faults in a row, only a probe goes every 1 to 2 seconds, also if
 * earlier probes hang; any answer of the platform closes the breaker. Ten outages of one route hold only this route back.
 * Routes that stay away while others are answered do not count. At every second probe, they are the last ones.
 */
export class CircuitBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  readonly #all = newStreak();
  /** True if routes with outages let others probe first. Neither of them may take all probes. */
  #othersFirst = true;
  /** Streaks of outages, by route. */
  readonly #routes = new LruMap<Streak>(MAX_ROUTES);

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Number of faults in a row. */
  get faults(): number {
    return this.#all.faults;
  }

  get isOpen(): boolean {
    return isLong(this.#all);
  }

  /** Returns `go`, or the time from which a request may go. */
  ask(route: string): Admission {
    if (this.#isWell) return 'go';
    const own = this.#routes.get(route);
    const afterMs = own && this.#othersFirst ? AFTER_OTHERS_MS * (own.isMissing ? 2 : 1) : 0;
    const ofAllMs = this.isOpen ? this.#all.probeAtMs + afterMs : 0;
    const atMs = Math.max(ofAllMs, own && isLong(own) ? own.probeAtMs : 0);
    return atMs <= this.#clock.monotonic() ? 'go' : atMs;
  }

  /** Counts a request that is sent. While the breaker is open, the request is a probe. */
  take(route: string): void {
    if (this.#isWell || this.ask(route) !== 'go') return;
    this.#probeLater(this.#all);
    if (this.isOpen) this.#othersFirst = !this.#othersFirst;
    const own = this.#routes.get(route);
    if (own) this.#probeLater(own);
  }

  /** Ends a request with its outcome. */
  release(outcome: NetworkOutcome, route: string): void {
    if (outcome === 'answered') {
      this.#routes.delete(route);
      if (this.#all.faults > 0)
        for (const each of this.#routes.values()) each.isMissing = isLong(each);
      this.#all.faults = 0;
    } else if (outcome === 'fault') this.#count(this.#all);
    else if (outcome === 'outage') {
      const own = this.#routes.get(route) ?? newStreak();
      this.#routes.set(route, own);
      const isShared = this.#routes.size > 1 || own.faults < FAULTS_OF_ROUTE;
      if (isShared && !own.isMissing) this.#count(this.#all);
      this.#count(own);
    }
  }

  /** True without counted faults: the usual case, which needs no lookup. */
  get #isWell(): boolean {
    return this.#all.faults === 0 && this.#routes.size === 0;
  }

  #count(streak: Streak): void {
    streak.faults += 1;
    this.#probeLater(streak);
  }

  #probeLater(streak: Streak): void {
    const { minMs, maxMs } = PROBE_AFTER;
    streak.probeAtMs = this.#clock.monotonic() + minMs + this.#random() * (maxMs - minMs);
  }
}

const newStreak = (): Streak => ({ faults: 0, probeAtMs: 0, isMissing: false });

const isLong = ({ faults }: Streak): boolean => faults >= FAULTS_TO_OPEN;
