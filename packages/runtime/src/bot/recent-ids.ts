/** Ids that were seen recently: at least the newest `limit`, at most twice as many. */
export class RecentIds {
  readonly #limit: number;
  // Two generations: deleting single ids from a large Set costs more than all the rest of a command.
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Remembers an id. Returns `false` if it was there already. */
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
