import type { Clock } from '@virgule/core/clock';

export interface RefusalGuardOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called when there are 100, once each time. */
  readonly warn: (count: number) => void;
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
  readonly #options: RefusalGuardOptions;
  /** The newest `BLOCK_AT`. */
  readonly #refusedAtMs: number[] = [];
  #isLogged = false;

  constructor(options: RefusalGuardOptions) {
    this.#options = options;
  }

  /** Refused requests in the last ten minutes; 1,000 if there were more. */
  get count(): number {
    const sinceMs = this.#options.clock.monotonic() - WINDOW_MS;
    while ((this.#refusedAtMs[0] ?? Number.POSITIVE_INFINITY) <= sinceMs) this.#refusedAtMs.shift();
    return this.#refusedAtMs.length;
  }

  /** Whether background calls have to stay away. */
  get blocks(): boolean {
    return this.count >= BLOCK_AT;
  }

  note(status: number): void {
    if (!REFUSALS.has(status)) return;
    const count = Math.min(this.count + 1, BLOCK_AT);
    this.#refusedAtMs.push(this.#options.clock.monotonic());
    if (this.#refusedAtMs.length > BLOCK_AT) this.#refusedAtMs.shift();
    if (count < WARN_AT) this.#isLogged = false;
    if (this.#isLogged || count < WARN_AT) return;
    this.#isLogged = true;
    this.#options.warn(count);
  }
}
