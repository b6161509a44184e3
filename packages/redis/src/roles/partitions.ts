/** The partitions of a worker: which it reads, and which it is to release. */
export class Partitions {
  /** By partition: one is read when the entries of its former owner are claimed. */
  readonly #owned = new Map<number, 'new' | 'reading' | 'leaving'>();

  /** The partitions to read. */
  get readable(): number[] {
    return [...this.#owned]
      .filter(([, state]) => state === 'reading')
      .map(([partition]) => partition);
  }

  /** Takes over which partitions are owned. Those above the share are to be released. */
  own(owned: readonly number[], share: number): void {
    for (const partition of this.#owned.keys()) {
      if (!owned.includes(partition)) this.#owned.delete(partition);
    }
    for (const partition of owned) {
      if (!this.#owned.has(partition)) this.#owned.set(partition, 'new');
    }
    for (const partition of owned.slice(share)) this.#owned.set(partition, 'leaving');
    for (const partition of owned.slice(0, share)) {
      if (this.#owned.get(partition) === 'leaving') this.#owned.set(partition, 'reading');
    }
  }

  /** The entries of earlier owners of these are claimed: the new ones can be read. */
  reclaimed(partitions: readonly number[]): void {
    for (const partition of partitions) {
      if (this.#owned.get(partition) === 'new') this.#owned.set(partition, 'reading');
    }
  }

  /** Returns those to release in which nothing runs. */
  releasable(running: ReadonlySet<unknown>): number[] {
    return [...this.#owned]
      .filter(([partition, state]) => state === 'leaving' && !running.has(partition))
      .map(([partition]) => partition);
  }

  released(partition: number): void {
    this.#owned.delete(partition);
  }
}
