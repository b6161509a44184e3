/**
 * A map that drops the least recently used entries. A read moves an entry to the young half; when it is full, the old half
 * is dropped. Moving each entry to the end of one map took more time than everything else.
 */
export class LruMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  readonly #halfSize: number;
  readonly #keep: (value: Value) => boolean;
  /** Maximum size of the young half: the kept entries in it, and half of `maxSize`. */
  #fullSize: number;

  /**
   * @param maxSize - maximum number of entries that `keep` does not keep; 2 or more.
   * @param keep - returns whether an entry is never dropped; any number of entries can be kept. @defaultValue no entry is kept
   */
  constructor(maxSize: number, keep: (value: Value) => boolean = () => false) {
    this.#halfSize = Math.floor(maxSize / 2);
    this.#fullSize = this.#halfSize;
    this.#keep = keep;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size > this.#fullSize) this.#grow(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Returns all values, the least recently used first. */
  values(): readonly Value[] {
    return [...this.#old.values(), ...this.#young.values()];
  }

  /** Returns all values with their keys, the least recently used first. */
  entries(): readonly (readonly [string, Value])[] {
    return [...this.#old, ...this.#young];
  }

  #grow(newest: string, value: Value): void {
    this.#young.delete(newest);
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    for (const [key, each] of dropped) if (this.#keep(each)) this.#young.set(key, each);
    this.#fullSize = this.#young.size + this.#halfSize;
    this.#young.set(newest, value);
  }
}
