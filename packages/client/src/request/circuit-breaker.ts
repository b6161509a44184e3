import type { Clock } from '@virgule/core/clock';
import type { Admission } from './bucket.js';

/** How well an origin can be reached. */
export interface OriginHealth {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Network faults in a row. From 10 on, only a probe goes every 1 to 2 s. */
  readonly faults: number;
  readonly isCircuitOpen: boolean;
}

/** What a request says about the network: a deadline or an abort of the caller's own is no fault. */
export type NetworkOutcome = 'answered' | 'fault' | 'unknown';

/** Network faults in a row before nothing but a probe is sent. */
const FAULTS_TO_OPEN = 10;

/** A probe goes this long after the last one and the last fault, in milliseconds. */
const PROBE_AFTER = { minMs: 1_000, maxMs: 2_000 };

/**
 * Keeps requests from an origin that cannot be reached. After ten network faults in a row only
 * probes go, 1 to 2 seconds apart; any answer at all closes it again. A probe that hangs holds up no other.
 */
export class CircuitBreaker {
  /** Network faults in a row. */
  faults = 0;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  #probeAtMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  get isOpen(): boolean {
    return this.faults >= FAULTS_TO_OPEN;
  }

  /** Returns whether a request may go: yes, or not before a time. */
  ask(): Admission {
    if (!this.isOpen) return 'go';
    return this.#probeAtMs <= this.#clock.monotonic() ? 'go' : this.#probeAtMs;
  }

  /** Notes a request that goes: while nothing else does, it is a probe. */
  take(): void {
    if (this.isOpen && this.ask() === 'go') this.#probeLater();
  }

  /** The request is over: it was answered, the network failed it, or that is unknown. */
  release(outcome: NetworkOutcome): void {
    if (outcome === 'answered') this.faults = 0;
    if (outcome !== 'fault') return;
    this.faults += 1;
    this.#probeLater();
  }

  #probeLater(): void {
    const { minMs, maxMs } = PROBE_AFTER;
    this.#probeAtMs = this.#clock.monotonic() + minMs + this.#random() * (maxMs - minMs);
  }
}
