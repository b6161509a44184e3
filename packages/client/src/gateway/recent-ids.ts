/** Ids that were seen lately: at least the newest `keep` of them, at most twice as many. */
export class RecentIds {
  readonly #keep: number;
  // Two generations: dropping the oldest entry of one big Set, over and over, gets slow.
  #older: ReadonlySet<string> = new Set();
  #newer = new Set<string>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Remembers an id; `false` when it was there already. */
  add(id: string): boolean {
    // Put in first: whether it was there already shows by the size, and most never were.
    const { size } = this.#newer;
    this.#newer.add(id);
    const isNew = this.#newer.size > size && !this.#older.has(id);
    if (this.#newer.size >= this.#keep) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return isNew;
  }
}
