import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';

/** What a request says about the network: a deadline or an abort of the caller's own is no fault. */
export type NetworkOutcome = 'answered' | 'fault' | 'unknown';

/** Network faults in a row before nothing but a probe is sent. */
const FAULTS_TO_OPEN = 10;

/** A probe goes this long after the last fault, in milliseconds. */
const PROBE_AFTER = { minMs: 1_000, maxMs: 2_000 };

/**
 * Keeps requests from an origin that cannot be reached. After ten network faults in a row only one
 * probe at a time goes, 1 to 2 seconds apart; any answer at all closes it again.
 */
export class CircuitBreaker {
  /** Network faults in a row. */
  faults = 0;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  #probeAtMs = 0;
  #isProbing = false;

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  get isOpen(): boolean {
    return this.faults >= FAULTS_TO_OPEN;
  }

  /** Until the next probe may go, in milliseconds; 0 when it is due or nothing is wrong. */
  get probeInMs(): number {
    return this.isOpen ? Math.max(0, this.#probeAtMs - this.#clock.monotonic()) : 0;
  }

  /** Returns whether a request may go: yes, not while a probe is in flight, or not before a time. */
  ask(): 'go' | 'busy' | number {
    if (!this.isOpen) return 'go';
    if (this.#isProbing) return 'busy';
    return this.#probeAtMs <= this.#clock.monotonic() ? 'go' : this.#probeAtMs;
  }

  /** Counts a request that goes. Returns whether it is the probe. */
  take(): boolean {
    if (!this.isOpen || this.#isProbing) return false;
    this.#isProbing = true;
    return true;
  }

  /** The request is over: it was answered, the network failed it, or that is unknown. */
  release(isProbe: boolean, outcome: NetworkOutcome): void {
    if (isProbe) this.#isProbing = false;
    if (outcome === 'answered') this.faults = 0;
    if (outcome !== 'fault') return;
    this.faults += 1;
    const { minMs, maxMs } = PROBE_AFTER;
    this.#probeAtMs = this.#clock.monotonic() + minMs + this.#random() * (maxMs - minMs);
  }
}

/** This many refused requests in ten minutes are logged, and this many stop background calls. */
const WARN_AT = 100;
const BLOCK_AT = 1_000;

const WINDOW_MS = 600_000;

/** Answers that say that a request should not have been made. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/**
 * Counts refused requests of the last ten minutes: platforms shut out bots that make too many. The
 * platform's own figure is not published, so the thresholds are careful.
 */
export class RefusalGuard {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #log: Pick<Log, 'warn'>;
  /** The newest `BLOCK_AT`. */
  readonly #refusedAtMs: number[] = [];
  #isLogged = false;

  constructor(clock: Pick<Clock, 'monotonic'>, log: Pick<Log, 'warn'>) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Refused requests in the last ten minutes; 1,000 if there were more. */
  get count(): number {
    const sinceMs = this.#clock.monotonic() - WINDOW_MS;
    while ((this.#refusedAtMs[0] ?? Number.POSITIVE_INFINITY) <= sinceMs) this.#refusedAtMs.shift();
    return this.#refusedAtMs.length;
  }

  get blocks(): boolean {
    return this.count >= BLOCK_AT;
  }

  note(status: number): void {
    if (!REFUSALS.has(status)) return;
    const count = Math.min(this.count + 1, BLOCK_AT);
    this.#refusedAtMs.push(this.#clock.monotonic());
    if (this.#refusedAtMs.length > BLOCK_AT) this.#refusedAtMs.shift();
    const wasLogged = this.#isLogged;
    this.#isLogged = count >= WARN_AT;
    if (wasLogged || !this.#isLogged) return;
    this.#log.warn({ count }, `the platform refused ${count} requests in the last ten minutes`);
  }
}
