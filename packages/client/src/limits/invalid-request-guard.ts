import type { Clock } from '@virgule/core/clock';

export interface InvalidRequestGuardOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called when there are 100, once each time. */
  readonly warn: (count: number) => void;
}

/** So many refused requests in ten minutes are logged, and so many stop background calls. */
const WARN_AT = 100;
const BLOCK_AT = 1_000;

/** Answers that say that a request should not have been made. */
const INVALID: ReadonlySet<number> = new Set([401, 403, 404, 429]);

const CELL_MS = 10_000;
const CELLS = 60;

/**
 * Counts refused requests of the last ten minutes: platforms shut out bots that make too many. The
 * platform's own figure is not published, so the thresholds are careful.
 */
export class InvalidRequestGuard {
  readonly #options: InvalidRequestGuardOptions;
  readonly #cells: number[] = Array.from({ length: CELLS }, () => 0);
  #cell: number;
  #count = 0;
  #told = false;

  constructor(options: InvalidRequestGuardOptions) {
    this.#options = options;
    this.#cell = this.#now();
  }

  /** Refused requests in the last ten minutes. */
  get count(): number {
    this.#moveOn();
    return this.#count;
  }

  /** Whether background calls have to stay away. */
  get blocks(): boolean {
    return this.count >= BLOCK_AT;
  }

  note(status: number): void {
    if (!INVALID.has(status)) return;
    this.#moveOn();
    const index = this.#cell % CELLS;
    this.#cells[index] = (this.#cells[index] ?? 0) + 1;
    this.#count += 1;
    if (this.#told || this.#count < WARN_AT) return;
    this.#told = true;
    this.#options.warn(this.#count);
  }

  #moveOn(): void {
    const now = this.#now();
    const steps = Math.min(CELLS, now - this.#cell);
    for (let step = 1; step <= steps; step += 1) {
      const index = (now - steps + step) % CELLS;
      this.#count -= this.#cells[index] ?? 0;
      this.#cells[index] = 0;
    }
    this.#cell = now;
    if (this.#count < WARN_AT) this.#told = false;
  }

  #now(): number {
    return Math.floor(this.#options.clock.monotonic() / CELL_MS);
  }
}
