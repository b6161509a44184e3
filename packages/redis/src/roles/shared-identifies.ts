import type { IdentifyTimes } from '@virgule/client/gateway';
import { errorText } from '@virgule/core/errors';
import type { RoleParts } from './role-parts.js';

/** Times when any gateway of a bot identified. Redis stores them by its clock, `read` returns them by the local clock. */
export class SharedIdentifies implements IdentifyTimes {
  readonly #options: RoleParts;
  /** Times of all gateways by the clock of Redis, as of the last call of `share`. */
  #shared: readonly number[] = [];
  /** Times of this process that are not in Redis yet, by the clock of Redis. */
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

  /** Adds the times of this process to Redis, and reads the times of all gateways. */
  async share(): Promise<void> {
    const sent = this.#unshared;
    this.#shared = await this.#options.bus.identified(sent);
    this.#unshared = this.#unshared.filter((atMs) => !sent.includes(atMs));
  }

  /** Returns the local time minus the time of Redis, in milliseconds. */
  #aheadMs(): number {
    const { time, clock } = this.#options;
    return clock.now() - time.fromMonotonic(clock.monotonic());
  }
}
