export interface LruMapOptions<Value> {
  /** Without the entries that are kept; 2 or more. */
  readonly maxSize: number;
  /** Entries that are not let go, however many there are. @defaultValue none */
  readonly keep?: (value: Value) => boolean;
}

/**
 * A map that forgets what was not asked for in a long time, so that it never grows past its size.
 * It has two halves: what is asked for moves to the young one, and when that is full the old one is
 * let go. Moving each entry to the end at each reading, in one map, took more time than all else.
 */
export class LruMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  readonly #halfSize: number;
  readonly #keep: (value: Value) => boolean;
  /** The young half is full with this many: those that were kept in it do not count. */
  #fullSize: number;

  constructor({ maxSize, keep = () => false }: LruMapOptions<Value>) {
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

  /** Returns the same as `values`, with the keys. */
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
