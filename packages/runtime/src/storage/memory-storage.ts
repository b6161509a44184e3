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
  /** Sorted keys, possibly with deleted ones; `undefined` after a new key. */
  let sorted: readonly string[] | undefined;
  let writes = 0;

  function read(key: string) {
    const entry = entries.get(key);
    if (!entry || entry.expiresAtMs > now()) return entry;
    entries.delete(key);
    return undefined;
  }

  function write(key: string, value: string, expiry: Expiry): void {
    const kept = expiry === 'keep' ? entries.get(key)?.expiresAtMs : undefined;
    const expiresAtMs = typeof expiry === 'number' ? now() + expiry : (kept ?? Infinity);
    if (!entries.has(key)) sorted = undefined;
    entries.set(key, { value, expiresAtMs });
    writes += 1;
    // Searches once per as many writes as there are entries, so that the cost of a write does not depend on their number.
    if (writes < Math.max(entries.size, MIN_SWEEP)) return;
    writes = 0;
    for (const each of entries.keys()) read(each);
  }

  return {
    get: async (key) => read(key)?.value,
    set: async (key, value, expiry) => write(key, value, expiry),
    async swap(key, from, to, expiry) {
      if (read(key)?.value !== from) return false;
      if (to === undefined) entries.delete(key);
      else write(key, to, expiry);
      return true;
    },
    delete: async (key) => read(key) !== undefined && entries.delete(key),
    async list({ prefix, after, limit }) {
      const isListed = (key: string): boolean =>
        key.startsWith(prefix) && (after === undefined || compareKeys(after, key) < 0);
      sorted ??= [...entries.keys()].sort(compareKeys);
      const found: StoredEntry[] = [];
      for (const key of sorted) {
        if (found.length === limit) break;
        const entry = isListed(key) ? read(key) : undefined;
        if (!entry) continue;
        const leftMs = entry.expiresAtMs - now();
        found.push({ key, value: entry.value, expiresInMs: leftMs === Infinity ? null : leftMs });
      }
      return found;
    },
    close: async () => {},
  };
}
