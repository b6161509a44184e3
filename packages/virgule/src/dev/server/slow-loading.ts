import type { Clock } from '@virgule/core/clock';
import type { DevReport } from '../ui/dev-report.js';

/** Loading time in milliseconds after which a report is made. Further reports follow after twice the time each. */
const SLOW_MS = 1_500;

/** File or package that is being loaded, and the time since the beginning. */
type LoadingStep = Omit<Extract<DevReport, { readonly type: 'loading' }>, 'type'>;

/** Reports the current step of slow loading. Quick loading is not reported. */
export class SlowLoading {
  readonly #clock: Clock;
  readonly #report: (step: LoadingStep) => void;
  #current: { file: string; imports?: string | undefined; sinceMs: number } | undefined;
  /** True once all files are loaded, and the services are being created. */
  #isCreating = false;
  #giveUp: (() => void) | undefined;
  /** Time of the next report, in milliseconds since the beginning. */
  #reportAfterMs = SLOW_MS;
  readonly #beganMs: number;
  #timer;
  readonly #stuckMs: number;

  /** @param moreMs - time limit for loading that counts as stuck, in addition to the limit for one file. */
  constructor(clock: Clock, report: (step: LoadingStep) => void, moreMs = 0) {
    this.#stuckMs = SLOW_MS + moreMs;
    this.#clock = clock;
    this.#report = report;
    this.#beganMs = clock.monotonic();
    this.#timer = clock.setTimeout(() => this.#check(), SLOW_MS);
  }

  /** File or package that is being loaded, for people. */
  get what(): string | undefined {
    if (!this.#current) return undefined;
    const { file, imports } = this.#current;
    if (this.#isCreating) return `the services of ${file}`;
    return imports === undefined ? file : `${imports} for ${file}`;
  }

  /**
   * Records that a file is about to run, or waits for an imported package; with `isCreating`, that all files are
   * loaded and this file creates the services.
   */
  step(file: string, imports?: string, isCreating = false): void {
    this.#current = { file, imports, sinceMs: this.#clock.monotonic() };
    this.#isCreating ||= isCreating;
  }

  /** Records that files changed during the load: `giveUp` is called as soon as the load is stuck. */
  changed(giveUp: () => void): void {
    this.#giveUp = giveUp;
    if (this.#isStuck()) giveUp();
  }

  end(): void {
    this.#giveUp = undefined;
    this.#current = undefined;
    this.#timer.cancel();
  }

  #check(): void {
    const nowMs = this.#clock.monotonic();
    if (this.#current && nowMs - this.#beganMs >= this.#reportAfterMs) {
      const { file, imports, sinceMs } = this.#current;
      this.#report({ file, imports, ms: Math.round(nowMs - sinceMs) });
      this.#reportAfterMs *= 2;
    }
    if (this.#isStuck()) this.#giveUp?.();
    this.#timer = this.#clock.setTimeout(() => this.#check(), SLOW_MS);
  }

  #isStuck(): boolean {
    const { sinceMs = Infinity } = this.#current ?? {};
    return !this.#isCreating && this.#clock.monotonic() - sinceMs >= this.#stuckMs;
  }
}
