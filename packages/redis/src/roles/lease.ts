import { errorText } from '@virgule/core/errors';
import type { RoleParts } from './role-parts.js';

/** Time between two heartbeats, in milliseconds. */
const BEAT_MS = 400;
/**
 * After Redis was away, nothing is taken over for this time, in milliseconds: the other workers are as alive as this one,
 * and have to renew their leases first.
 */
const GRACE_MS = 1_200;
/** A worker that could not renew its lease for this long reads nothing: its entries may be claimed soon. */
const MAX_AGE_MS = 1_200;

export interface LeaseOptions extends RoleParts {
  /** Returns whether the worker takes nothing new. */
  readonly isDraining: () => boolean;
  /** Returns the partitions that are not released: something of them runs or is being read. */
  readonly inUse: () => ReadonlySet<unknown>;
  /** Takes over what workers that are gone have left, also of these partitions. Returns whether it could. */
  readonly claim: (partitions: readonly number[]) => Promise<boolean>;
  /** Called when it was renewed after a failure: the reply of a claim may have been lost. */
  readonly onBack: () => void;
  /** Called when the lease was renewed. */
  readonly onRenewed: () => void;
}

/** The lease of a worker: while it is renewed, the worker may read commands, and the partitions that it owns. */
export class Lease {
  readonly #options: LeaseOptions;
  #renewedAtMs: number | undefined;
  #heldSinceMs = Infinity;
  #graceUntilMs = 0;
  #isSlow = false;
  #partitions: readonly number[] = [];

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** The partitions to read: one is new until the entries of its former owner are claimed. */
  get partitions(): readonly number[] {
    return this.#partitions;
  }

  /** Time since it was renewed, in milliseconds; `undefined` before the first time. */
  get ageMs(): number | undefined {
    const { clock } = this.#options;
    return this.#renewedAtMs === undefined ? undefined : clock.monotonic() - this.#renewedAtMs;
  }

  get isCurrent(): boolean {
    return (this.ageMs ?? Infinity) < MAX_AGE_MS;
  }

  /** Since when no other worker can have claimed entries of this one; `Infinity` if one can now. */
  get heldSinceMs(): number {
    return this.isCurrent ? this.#heldSinceMs : Infinity;
  }

  /** Renews it until the signal is aborted. */
  async keep(signal: AbortSignal): Promise<void> {
    const { bus, clock, log, onBack, onRenewed } = this.#options;
    let isAway = false;
    while (!signal.aborted) {
      const startMs = clock.monotonic();
      try {
        await this.#renew(startMs);
        if (isAway) {
          log.info({}, 'the worker is back');
          onBack();
        }
        isAway = false;
        onRenewed();
      } catch (error) {
        if (signal.aborted) return;
        await bus.restoreGroups(error);
        if (!isAway) log.warn({ error: errorText(error) }, 'the worker cannot renew its lease');
        isAway = true;
      }
      const waitMs = Math.max(50, BEAT_MS - (clock.monotonic() - startMs));
      await clock.sleep(waitMs, { signal }).catch(() => {});
    }
  }

  async #renew(sentAtMs: number): Promise<void> {
    const { bus, time, clock, log, isDraining, inUse, claim } = this.#options;
    const mayTake = sentAtMs >= this.#graceUntilMs;
    const { nowMs, share, partitions, isLate } = await bus.beat(mayTake, isDraining());
    // It may have arrived late as well.
    if (!this.isCurrent) this.#heldSinceMs = clock.monotonic();
    this.#renewedAtMs = sentAtMs;
    const tookMs = Math.round(clock.monotonic() - sentAtMs);
    if (tookMs >= MAX_AGE_MS && !this.#isSlow)
      log.warn({ tookMs }, `this worker reads nothing until Redis answers within ${MAX_AGE_MS} ms`);
    this.#isSlow = tookMs >= MAX_AGE_MS;
    time.measure(nowMs, sentAtMs);
    if (isLate) this.#graceUntilMs = clock.monotonic() + GRACE_MS;
    const kept = partitions.slice(0, share);
    this.#partitions = this.#partitions.filter((partition) => kept.includes(partition));
    const used = inUse();
    for (const partition of partitions.slice(share))
      if (!used.has(partition)) await bus.release(partition);
    if (!mayTake || isLate || isDraining()) return;
    if (await claim(kept)) this.#partitions = kept;
  }
}
