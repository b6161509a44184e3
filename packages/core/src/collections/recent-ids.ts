/** Remembers the latest ids: at least `limit` of them, at most twice as many. */
export class RecentIds {
  readonly #limit: number;
  // Two generations: deleting single ids from a large Set costs more than the rest of a command.
  #old = new Set<string>();
  #young = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns whether an id is known. */
  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id);
  }

  /** Forgets an id. Returns false if it is not known. */
  delete(id: string): boolean {
    const wasYoung = this.#young.delete(id);
    return this.#old.delete(id) || wasYoung;
  }

  /** Remembers an id. Returns false if it is already known. */
  add(id: string): boolean {
    // Most ids are new, and a greater size shows this without a second lookup.
    const { size } = this.#young;
    if (this.#old.has(id) || this.#young.add(id).size === size) return false;
    if (size + 1 >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    return true;
  }
}
