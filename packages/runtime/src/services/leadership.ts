import { randomUUID } from 'node:crypto';
import { linkSignals, type LinkedController } from '@virgule/core/abort';
import type { Clock, Timer } from '@virgule/core/clock';
import { errorText, readableError } from '@virgule/core/errors';
import { createOutage, type Log } from '@virgule/core/log';
import type { StorageConnection } from '../storage/storage-connection.js';

/** Entry that holds the id of the leader. Expires after the end of its process. */
const KEY = 'leader:services';
const LEASE_MS = 10_000;
const RENEW_MS = 2_000;
/** Time after a renewal at which a leader stops, in milliseconds: its functions need time to end before the lease expires. */
const TERM_MS = 7_000;

export interface LeadershipOptions {
  /** Storage that all processes of the bot share; `null` for a bot of one process. */
  readonly storage: StorageConnection | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted before `close`. */
  readonly signal: AbortSignal;
}

type Work = (signal: AbortSignal) => unknown;

/** Calls functions while this process leads. With several processes, the leader renews a lease in the storage. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #owner = randomUUID();
  /** Functions with the end of their last call. */
  readonly #calls: { readonly work: Work; ended: Promise<void> }[] = [];
  /** Present while this process leads. */
  #term: LinkedController | undefined;
  #electing: Promise<void> | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  whileLeading(work: Work): void {
    const { storage, signal } = this.#options;
    const call = { work, ended: Promise.resolve() };
    this.#calls.push(call);
    if (storage) this.#electing ??= this.#elect(storage);
    else this.#term ??= linkSignals(signal);
    if (this.#term) this.#begin(call, this.#term.signal);
  }

  /** Resolves when all functions have ended and another process can lead. */
  async close(): Promise<void> {
    await Promise.all(this.#calls.map(({ ended }) => ended));
    await this.#electing;
  }

  #begin(call: { readonly work: Work; ended: Promise<void> }, signal: AbortSignal): void {
    call.ended = call.ended.then(async () => {
      try {
        if (!signal.aborted) await call.work(signal);
      } catch (error) {
        if (signal.aborted) return;
        const message = `a function of whileLeading failed: ${errorText(error)}`;
        this.#options.log.error({ err: readableError(error) }, message);
      }
    });
  }

  async #elect(storage: StorageConnection): Promise<void> {
    const { clock, log, signal } = this.#options;
    const swap = (from: string | undefined, to: string | undefined): Promise<boolean> =>
      storage.swap(KEY, from, to, LEASE_MS);
    let expiry: Timer | undefined;
    const outage = createOutage(log);
    while (!signal.aborted) {
      const untilMs = clock.monotonic() + TERM_MS;
      try {
        const isHeld =
          (await swap(this.#owner, this.#owner)) || (await swap(undefined, this.#owner));
        outage.ended();
        expiry?.cancel();
        const leftMs = untilMs - clock.monotonic();
        if (isHeld && leftMs > 0) {
          expiry = clock.setTimeout(() => this.#follow(), leftMs);
          this.#lead();
        } else this.#follow();
      } catch (error) {
        outage.failed(error, 'the leader is unknown');
      }
      await clock.sleep(RENEW_MS, { signal }).catch(() => {});
    }
    expiry?.cancel();
    await Promise.all(this.#calls.map(({ ended }) => ended));
    await swap(this.#owner, undefined).catch(() => {});
  }

  #lead(): void {
    if (this.#term) return;
    this.#options.log.info({}, 'this process leads');
    this.#term = linkSignals(this.#options.signal);
    for (const call of this.#calls) this.#begin(call, this.#term.signal);
  }

  #follow(): void {
    if (!this.#term) return;
    this.#options.log.info({}, 'this process no longer leads');
    this.#term.abort();
    this.#term.unlink();
    this.#term = undefined;
  }
}
