/** Ids that were seen lately: the newest `limit` of them at least, twice as many at most. */
export class RecentIds {
  readonly #limit: number;
  // Two generations: taking single ids out of a large Set costs more than all the rest of a command.
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Remembers an id; `false` when it was there already. */
  add(id: string): boolean {
    const { size } = this.#young;
    if (this.#old.has(id) || this.#young.add(id).size === size) return false;
    if (size + 1 >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    return true;
  }
}
