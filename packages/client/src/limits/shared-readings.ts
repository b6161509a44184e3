import type { Bucket, Stake } from './bucket.js';

/** Readings of `X-RateLimit-Remaining` that fell by one each, whichever bucket they were read in. */
interface Fall {
  readonly limit: number;
  remaining: number;
  heardAtMs: number;
  last: Bucket;
  /** How often each bucket was found to have fallen by what others sent since its own last reading. */
  readonly agreements: Map<Bucket, number>;
}

/** So often that has to be found for each of them before they are taken for one. */
const AGREEMENTS_NEEDED = 2;

/** Sequences that are followed, and buckets in one. */
const MOST_FALLS = 16;
const MOST_BUCKETS = 16;

const NONE: readonly Bucket[] = [];

/**
 * Finds buckets that share a limit when accepted answers state what remains. A bucket with a limit of
 * its own falls by what it sends itself. One whose readings fall, exactly and without a break, by what
 * others send as well, shares its limit with them. Only requests that follow one another count: of
 * those on their way at the same time nobody knows which was counted first.
 */
export class SharedReadings {
  /** A reading may fit into several of them: those it contradicts are given up. */
  readonly #falls = new Set<Fall>();

  /** An accepted request's reading. Gives the buckets that are one, once that is sure. */
  note(
    { bucket, sentAtMs }: Stake,
    limit: number,
    remaining: number,
    nowMs: number,
  ): readonly Bucket[] {
    let sharing = NONE;
    let isFollowed = false;
    const begun: Fall[] = [];
    for (const fall of this.#falls) {
      const isIn = fall.agreements.has(bucket);
      const continues =
        bucket.inFlight === 0 &&
        fall.limit === limit &&
        fall.remaining === remaining + 1 &&
        fall.heardAtMs <= sentAtMs &&
        fall.agreements.size <= MOST_BUCKETS;
      if (continues && isIn) {
        if (advance(fall, bucket, nowMs) && sharing === NONE) sharing = findSharing(fall);
        isFollowed = true;
      } else if (continues) {
        // It may fit by chance: without it the sequence is followed as well.
        const other = { ...fall, agreements: new Map(fall.agreements) };
        advance(other, bucket, nowMs);
        begun.push(other);
      } else if (isIn) {
        this.#falls.delete(fall);
      }
    }
    if (!isFollowed && bucket.inFlight === 0) {
      const agreements = new Map([[bucket, 0]]);
      begun.push({ limit, remaining, heardAtMs: nowMs, last: bucket, agreements });
    }
    for (const each of begun) this.#follow(each);
    return sharing;
  }

  /** Something was or may have been counted there that no reading tells of. */
  interrupt(bucket: Bucket): void {
    for (const fall of this.#falls) if (fall.agreements.has(bucket)) this.#falls.delete(fall);
  }

  #follow(fall: Fall): void {
    const [oldest] = this.#falls;
    if (oldest && this.#falls.size >= MOST_FALLS) this.#falls.delete(oldest);
    this.#falls.add(fall);
  }
}

/** Whether the bucket fell by what others sent. */
function advance(fall: Fall, bucket: Bucket, nowMs: number): boolean {
  const before = fall.agreements.get(bucket);
  const agrees = before !== undefined && fall.last !== bucket;
  fall.agreements.set(bucket, (before ?? 0) + (agrees ? 1 : 0));
  fall.remaining -= 1;
  fall.heardAtMs = nowMs;
  fall.last = bucket;
  return agrees;
}

function findSharing({ agreements }: Fall): readonly Bucket[] {
  const sharing = [...agreements]
    // With one on its way, what is left would be taken for more than it is.
    .filter(([bucket, times]) => times >= AGREEMENTS_NEEDED && bucket.inFlight === 0)
    .map(([bucket]) => bucket);
  return sharing.length > 1 ? sharing : NONE;
}
