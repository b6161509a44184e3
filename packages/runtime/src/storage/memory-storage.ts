import {
  compareKeys,
  type Expiry,
  type StorageDriver,
  type StorageSetting,
  type StoredEntry,
} from './storage-driver.js';

/** Minimum number of writes between two searches for expired entries. */
const MIN_SWEEP = 1_000;

/** Stores entries in the memory of the process: for tests, and for entries that may be lost. */
export function memory(): StorageSetting {
  return {
    name: 'the memory',
    isPrivate: true,
    open: async ({ clock }) => createMemoryDriver(() => clock.now()),
  };
}

export function createMemoryDriver(now: () => number): StorageDriver {
  /** Entries by key. `expiresAtMs` is a reading of `Clock.now()`. */
  const entries = new Map<string, { readonly value: string; readonly expiresAtMs: number }>();
  const keys: string[] = [];
  let writes = 0;

  function read(key: string) {
    const entry = entries.get(key);
    if (!entry || entry.expiresAtMs > now()) return entry;
    remove(key);
    return undefined;
  }

  function write(key: string, value: string, expiry: Expiry): void {
    const before = entries.get(key);
    const expiresAtMs =
      expiry === 'keep'
        ? (before?.expiresAtMs ?? Infinity)
        : expiry === null
          ? Infinity
          : now() + expiry;
    if (!before) keys.splice(place(key), 0, key);
    entries.set(key, { value, expiresAtMs });
    writes += 1;
    // Searches once per as many writes as there are entries, so that the cost of a write does not depend on their number.
    if (writes < Math.max(entries.size, MIN_SWEEP)) return;
    writes = 0;
    for (const each of entries.keys()) read(each);
  }

  function remove(key: string): boolean {
    if (!entries.delete(key)) return false;
    keys.splice(place(key), 1);
    return true;
  }

  /** Returns the index of the first key that is not before `key`. */
  function place(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get: async (key) => read(key)?.value,
    set: async (key, value, expiry) => write(key, value, expiry),
    async swap(key, from, to, expiry) {
      if (read(key)?.value !== from) return false;
      if (to === undefined) remove(key);
      else write(key, to, expiry);
      return true;
    },
    delete: async (key) => read(key) !== undefined && remove(key),
    async list({ prefix, after, limit }) {
      const found: StoredEntry[] = [];
      let index = place(after === undefined || compareKeys(after, prefix) < 0 ? prefix : after);
      while (found.length < limit) {
        const key = keys[index];
        if (key === undefined || !key.startsWith(prefix)) break;
        const entry = key === after ? undefined : read(key);
        // `read` has removed an expired entry, and the next key has its index.
        if (keys[index] !== key) continue;
        if (entry) {
          const leftMs = entry.expiresAtMs - now();
          found.push({ key, value: entry.value, expiresInMs: leftMs === Infinity ? null : leftMs });
        }
        index += 1;
      }
      return found;
    },
    close: async () => {},
  };
}
