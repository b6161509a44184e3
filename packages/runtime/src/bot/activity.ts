import { type Clock, settlesWithin } from '@virgule/core/clock';

/** Counts handlers that run, and resolves when none does. */
export class Activity {
  #count = 0;
  #onIdle: (() => void)[] = [];
  /** Shared by all runs: a closure for each would be one more object to collect. */
  readonly #done = (): void => this.end();

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  /** Counts a promise until it settles. It must not reject. */
  track(run: Promise<unknown>): void {
    this.#count += 1;
    void run.then(this.#done);
  }

  /** Resolves when nothing runs, and after `ms` at the latest. */
  async idleWithin(ms: number, clock: Clock): Promise<void> {
    if (this.#count === 0) return;
    await settlesWithin(this.idle(), ms, clock);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    // A run that ends may have started another.
    while (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }
}
