import type { Clock } from '@virgule/core/clock';
import type { DevReport } from '../ui/dev-report.js';

/** Loading that takes longer than this is reported, and again after twice the time and so on. In milliseconds. */
const SLOW_MS = 1_500;

/** What is being loaded, and for how long already. */
type LoadingStep = Omit<Extract<DevReport, { readonly type: 'loading' }>, 'type'>;

/** Reports what slow loading is doing. If it is quick, nothing is reported. */
export class SlowLoading {
  readonly #clock: Clock;
  readonly #report: (step: LoadingStep) => void;
  #current: { file: string; imports?: string | undefined; sinceMs: number } | undefined;
  /** Whether all files are loaded, and the services are created. */
  #isCreating = false;
  #giveUp: (() => void) | undefined;
  /** When to report next, from the beginning. */
  #reportAfterMs = SLOW_MS;
  readonly #beganMs: number;
  #timer;
  readonly #stuckMs: number;

  /** @param moreMs - how much longer than one file it may take until it counts as stuck. */
  constructor(clock: Clock, report: (step: LoadingStep) => void, moreMs = 0) {
    this.#stuckMs = SLOW_MS + moreMs;
    this.#clock = clock;
    this.#report = report;
    this.#beganMs = clock.monotonic();
    this.#timer = clock.setTimeout(() => this.#check(), SLOW_MS);
  }

  /** What is being loaded, for people. */
  get what(): string | undefined {
    if (!this.#current) return undefined;
    const { file, imports } = this.#current;
    if (this.#isCreating) return `the services of ${file}`;
    return imports === undefined ? file : `${imports} for ${file}`;
  }

  /**
   * Notes that a file is about to run, or waits for a package it imports; or that all files are loaded, and this one
   * creates the services.
   */
  step(file: string, imports?: string, isCreating = false): void {
    this.#current = { file, imports, sinceMs: this.#clock.monotonic() };
    this.#isCreating ||= isCreating;
  }

  /** Notes that files changed meanwhile: `giveUp` is called if it is stuck, or once it is. */
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
