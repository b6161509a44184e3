import { createOutage } from '@virgule/core/log';
import type { RoleParts } from './role-parts.js';

const BEAT_MS = 400;
/**
 * Time without takeovers after an outage of Redis, in milliseconds: the other workers are probably alive, and have to
 * renew their leases first.
 */
const GRACE_MS = 1_200;
/** Age of a lease in milliseconds above which its worker reads nothing, because its entries may be claimed soon. */
const MAX_AGE_MS = 1_200;

export interface LeaseOptions extends RoleParts {
  /** Returns true while the worker takes nothing new. */
  readonly isDraining: () => boolean;
  /** Returns the partitions with events that run or are being read. These partitions are not released. */
  readonly inUse: () => ReadonlySet<unknown>;
  /** Claims the commands of removed workers, and their events of these partitions. Returns false if it cannot now. */
  readonly claim: (partitions: readonly number[]) => Promise<boolean>;
  /** Called when a renewal succeeds after a failure: the reply of a claim may have been lost. */
  readonly onBack: () => void;
  readonly onRenewed: () => void;
}

/** Lease of a worker. While the lease is current, the worker may read commands and its partitions. */
export class Lease {
  readonly #options: LeaseOptions;
  #renewedAtMs: number | undefined;
  #heldSinceMs = Infinity;
  #graceUntilMs = 0;
  #isSlow = false;
  /** Partitions to read. A new partition is included after the entries of its former owner were claimed. */
  partitions: readonly number[] = [];

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Time since the last renewal, in milliseconds; `undefined` before the first renewal. */
  get ageMs(): number | undefined {
    const { clock } = this.#options;
    return this.#renewedAtMs === undefined ? undefined : clock.monotonic() - this.#renewedAtMs;
  }

  get isCurrent(): boolean {
    return (this.ageMs ?? Infinity) < MAX_AGE_MS;
  }

  /** Time since which no other worker can have claimed entries of this worker; `Infinity` while others can claim them. */
  get heldSinceMs(): number {
    return this.isCurrent ? this.#heldSinceMs : Infinity;
  }

  async keep(signal: AbortSignal): Promise<void> {
    const { bus, clock, log, onBack, onRenewed } = this.#options;
    const outage = createOutage(log);
    while (!signal.aborted) {
      const startMs = clock.monotonic();
      try {
        await this.#renew(startMs);
        if (outage.ended('the worker is back')) onBack();
        onRenewed();
      } catch (error) {
        if (signal.aborted) return;
        await bus.restoreGroups(error);
        outage.failed(error, 'the worker cannot renew its lease');
      }
      const waitMs = Math.max(50, BEAT_MS - (clock.monotonic() - startMs));
      await clock.sleep(waitMs, { signal }).catch(() => {});
    }
  }

  async #renew(sentAtMs: number): Promise<void> {
    const { bus, time, clock, log, isDraining, inUse, claim } = this.#options;
    const mayTake = sentAtMs >= this.#graceUntilMs;
    const { nowMs, share, partitions, isLate } = await bus.beat(mayTake, isDraining());
    // The renewal may have reached Redis late, so the time of sending would be too early.
    if (!this.isCurrent) this.#heldSinceMs = clock.monotonic();
    this.#renewedAtMs = sentAtMs;
    const tookMs = Math.round(clock.monotonic() - sentAtMs);
    if (tookMs >= MAX_AGE_MS && !this.#isSlow)
      log.warn({ tookMs }, `this worker reads nothing until Redis answers within ${MAX_AGE_MS} ms`);
    this.#isSlow = tookMs >= MAX_AGE_MS;
    time.measure(nowMs, sentAtMs);
    if (isLate) this.#graceUntilMs = clock.monotonic() + GRACE_MS;
    const kept = partitions.slice(0, share);
    this.partitions = this.partitions.filter((partition) => kept.includes(partition));
    const used = inUse();
    for (const partition of partitions.slice(share))
      if (!used.has(partition)) await bus.release(partition);
    if (!mayTake || isLate || isDraining()) return;
    if (await claim(kept)) this.partitions = kept;
  }
}
