import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Admission } from './bucket.js';

/** Reachability of an origin. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Number of faults in a row. */
  readonly faults: number;
  /** True after 10 faults in a row: only a probe is sent every 1 to 2 s. */
  readonly isCircuitOpen: boolean;
}

/**
 * Outcome for the network: `outage` is an answer in place of the platform, `route-outage` such an answer that may concern only its
 * route; a deadline or an abort is `unknown`.
 */
export type NetworkOutcome = 'answered' | 'fault' | 'outage' | 'route-outage' | 'unknown';

/** Number of faults in a row after which only probes are sent. */
const FAULTS_TO_OPEN = 10;

/** Bounds of the random time from the last probe or fault to the next probe, in milliseconds. */
const PROBE_AFTER = { minMs: 1_000, maxMs: 2_000 };

/** Number of routes without an answer in between whose outages concern the whole origin: a platform may lack two of them. */
const ROUTES_TO_SHARE = { outage: 2, 'route-outage': 3 };

/** Maximum number of routes with outages: paths of raw requests are routes too. */
const MAX_ROUTES = 1_000;

/** Faults in a row of an origin or a route. */
interface Streak {
  faults: number;
  probeAtMs: number;
}

/**
 * Holds requests to an unreachable origin back. After ten faults in a row, only a probe goes every 1 to 2 seconds, also if
 * earlier probes hang; any answer of the platform closes the breaker. Outages of too few routes hold only these routes back.
 */
export class CircuitBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  readonly #all: Streak = { faults: 0, probeAtMs: 0 };
  /** Streaks of outages, by route. */
  #routes = new LruMap<Streak>(MAX_ROUTES);
  /** Routes of the outages since the last answer, until they are shared. */
  readonly #away = new Set<string>();
  /** True if the streak concerns the whole origin. */
  #isShared = false;

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Number of faults in a row. */
  get faults(): number {
    return this.#all.faults;
  }

  get isOpen(): boolean {
    return this.#isShared && isLong(this.#all);
  }

  /** Returns `go`, or the time from which a request may go. */
  ask(route: string): Admission {
    if (this.#isWell) return 'go';
    const atMs = Math.max(0, ...this.#openFor(route).map(({ probeAtMs }) => probeAtMs));
    return atMs <= this.#clock.monotonic() ? 'go' : atMs;
  }

  /** Counts a request that is sent. While the breaker is open, the request is a probe. */
  take(route: string): void {
    if (this.#isWell || this.ask(route) !== 'go') return;
    for (const streak of this.#openFor(route)) this.#probeLater(streak);
  }

  /** Ends a request with its outcome. */
  release(outcome: NetworkOutcome, route: string): void {
    if (outcome === 'answered') this.#close(route);
    if (outcome === 'answered' || outcome === 'unknown') return;
    this.#count(this.#all);
    const isFault = outcome === 'fault';
    this.#isShared ||= isFault || this.#away.add(route).size >= ROUTES_TO_SHARE[outcome];
    if (isFault) return;
    const streak = this.#routes.get(route) ?? { faults: 0, probeAtMs: 0 };
    this.#routes.set(route, streak);
    this.#count(streak);
  }

  /** True without counted faults: the usual case, which needs no lookup. */
  get #isWell(): boolean {
    return this.#all.faults === 0 && this.#routes.size === 0;
  }

  #close(route: string): void {
    if (this.#isWell) return;
    // The whole origin was unreachable, so the routes are cleared too.
    if (this.isOpen) this.#routes = new LruMap(MAX_ROUTES);
    this.#all.faults = 0;
    this.#isShared = false;
    this.#away.clear();
    this.#routes.delete(route);
  }

  /** Returns the streaks that hold a route back. */
  #openFor(route: string): readonly Streak[] {
    const own = this.#routes.get(route);
    return [...(this.isOpen ? [this.#all] : []), ...(own && isLong(own) ? [own] : [])];
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

const isLong = ({ faults }: Streak): boolean => faults >= FAULTS_TO_OPEN;
