import type { Clock } from '@virgule/core/clock';

/** Counts what runs, and tells when nothing does. */
export class Activity {
  #count = 0;
  #onIdle: (() => void)[] = [];
  /** The same for all: a closure for each run would be one more thing to collect. */
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
    for (const tell of waiting) tell();
  }

  /** Counts a promise until it settles. It must not reject. */
  track(run: Promise<unknown>): void {
    this.#count += 1;
    void run.then(this.#done);
  }

  /** Resolves when nothing runs, and after so long in any case. */
  async idleWithin(ms: number, clock: Clock): Promise<void> {
    if (this.#count === 0) return;
    const budget = new AbortController();
    await Promise.race([
      this.idle().finally(() => budget.abort()),
      clock.sleep(ms, { signal: budget.signal }).catch(() => {}),
    ]);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    // What ends may have begun something else.
    while (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }
}
