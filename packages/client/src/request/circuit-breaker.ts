import type { Clock } from '@virgule/core/clock';
import type { Admission } from './bucket.js';

/** How well an origin can be reached. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Faults in a row. */
  readonly faults: number;
  /** Whether only a probe goes every 1 to 2 s, after 10 faults. */
  readonly isCircuitOpen: boolean;
}

/**
 * What a request says about the network: a deadline or an abort of the caller's own is no fault. `outage`: a server
 * in front of the platform answered in its place.
 */
export type NetworkOutcome = 'answered' | 'fault' | 'outage' | 'unknown';

/** Faults in a row before nothing but a probe is sent. */
const FAULTS_TO_OPEN = 10;

/** A probe goes this long after the last one and the last fault, in milliseconds. */
const PROBE_AFTER = { minMs: 1_000, maxMs: 2_000 };

/** The faults of an origin, or of one route. */
interface Streak {
  faults: number;
  probeAtMs: number;
}

/**
 * Keeps requests from an origin that cannot be reached. After ten faults in a row only probes go, 1 to 2 seconds
 * apart; any answer of the platform closes it again. A probe that hangs holds up no other. Where all faults are
 * outages of one route, another may work: only that route is held back.
 */
export class CircuitBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  readonly #all: Streak = { faults: 0, probeAtMs: 0 };
  /** Of routes that were answered in place of the platform. */
  readonly #routes = new Map<string, Streak>();
  /** The route of all outages of the streak. */
  #onlyRoute: string | undefined;
  /** Whether the streak is of the whole origin. */
  #isShared = false;

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Faults in a row. */
  get faults(): number {
    return this.#all.faults;
  }

  get isOpen(): boolean {
    return this.#isShared && isLong(this.#all);
  }

  /** Returns whether a request may go: yes, or not before a time. */
  ask(route: string): Admission {
    if (this.#isWell) return 'go';
    const atMs = Math.max(0, ...this.#openFor(route).map(({ probeAtMs }) => probeAtMs));
    return atMs <= this.#clock.monotonic() ? 'go' : atMs;
  }

  /** Notes a request that goes: while nothing else does, it is a probe. */
  take(route: string): void {
    if (this.#isWell || this.ask(route) !== 'go') return;
    for (const streak of this.#openFor(route)) this.#probeLater(streak);
  }

  /** The request is over. */
  release(outcome: NetworkOutcome, route: string): void {
    if (outcome === 'answered') this.#close(route);
    if (outcome === 'fault' || outcome === 'outage') this.#count(this.#all);
    if (outcome === 'fault') this.#isShared = true;
    if (outcome !== 'outage') return;
    this.#isShared ||= (this.#onlyRoute ??= route) !== route;
    const streak = this.#routes.get(route) ?? { faults: 0, probeAtMs: 0 };
    this.#routes.set(route, streak);
    this.#count(streak);
  }

  /** Whether no fault is counted: the usual case, in which nothing is looked up. */
  get #isWell(): boolean {
    return this.#all.faults === 0 && this.#routes.size === 0;
  }

  #close(route: string): void {
    if (this.#isWell) return;
    // It was not the fault of the routes.
    if (this.isOpen) this.#routes.clear();
    this.#all.faults = 0;
    this.#isShared = false;
    this.#onlyRoute = undefined;
    this.#routes.delete(route);
  }

  /** The streaks that hold a route back. */
  #openFor(route: string): readonly Streak[] {
    const own = this.#routes.get(route);
    if (!this.isOpen) return own && isLong(own) ? [own] : CLOSED;
    return own && isLong(own) ? [this.#all, own] : [this.#all];
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

const CLOSED: readonly Streak[] = [];

function isLong({ faults }: Streak): boolean {
  return faults >= FAULTS_TO_OPEN;
}
