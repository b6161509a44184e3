import type { IdentifyTimes } from '@virgule/client/gateway';
import { errorText } from '@virgule/core/errors';
import type { RoleParts } from './role-parts.js';

/** Remembers when any gateway of a bot identified: in Redis by its clock, here by that of this machine. */
export class SharedIdentifies implements IdentifyTimes {
  readonly #options: RoleParts;
  /** By the clock of Redis, as of the last time that they were shared. */
  #shared: readonly number[] = [];
  /** Those of this process that are not in Redis yet, by the same clock. */
  #unshared: readonly number[] = [];

  constructor(options: RoleParts) {
    this.#options = options;
  }

  read(): readonly number[] {
    const aheadMs = this.#aheadMs();
    return [...this.#shared, ...this.#unshared].map((atMs) => atMs + aheadMs);
  }

  write(times: readonly number[]): void {
    const lastMs = times.at(-1);
    if (lastMs !== undefined) this.#unshared = [...this.#unshared, lastMs - this.#aheadMs()];
    this.share().catch((error: unknown) => {
      const { log } = this.#options;
      log.warn({ error: errorText(error) }, 'cannot store when this bot identified');
    });
  }

  /** Adds the times of this process to Redis, and reads those of all. */
  async share(): Promise<void> {
    const sent = this.#unshared;
    this.#shared = await this.#options.bus.identified(sent);
    this.#unshared = this.#unshared.filter((atMs) => !sent.includes(atMs));
  }

  /** Returns how far the clock of this machine is ahead of that of Redis. */
  #aheadMs(): number {
    const { time, clock } = this.#options;
    return clock.now() - time.fromMonotonic(clock.monotonic());
  }
}
