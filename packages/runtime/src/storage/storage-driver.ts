import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';

/** The maximum length of a key with its namespace, in characters. */
export const MAX_KEY_LENGTH = 512;

/** How long an entry is kept, in milliseconds. `null`: until it is deleted; `'keep'`: as long as before. */
export type Expiry = number | null | 'keep';

/** What a storage driver is asked for by `list`. */
export interface ListRequest {
  /** What the keys begin with; empty for all. */
  readonly prefix: string;
  /** Keys after this one. @defaultValue from the first */
  readonly after?: string | undefined;
  /** The maximum number of entries, 1 or more. */
  readonly limit: number;
}

/** An entry as a storage driver keeps it. */
export interface StoredEntry {
  readonly key: string;
  /** JSON. */
  readonly value: string;
  /** Time until it expires, in milliseconds; `null` if it does not. */
  readonly expiresInMs: number | null;
}

/**
 * Where a bot stores entries: a key and a string each. Keys have 1 to 512 characters, and strings are
 * JSON of up to 1 MiB; the storage above it has checked both. Every method may be called at any time before
 * `close`, and rejects if the operation failed. What a method has resolved for survives the end of the process.
 */
export interface StorageDriver {
  /** Resolves to the string of a key, or `undefined` if there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /** Writes an entry, whatever was there. */
  set(key: string, value: string, expiry: number | null): Promise<void>;
  /**
   * Replaces the entry of a key in one step if it is still `from`. `undefined` is no entry, before or
   * after. Resolves to whether it was.
   */
  swap(
    key: string,
    from: string | undefined,
    to: string | undefined,
    expiry: Expiry,
  ): Promise<boolean>;
  /**
   * Adds 1 to a count, or -1, in one step, unless it would be over the limit: then it resolves to the time that is left of its
   * window, in milliseconds, else to 0. The window begins with the first one; the entry is a number. Absent in a driver
   * that no other process shares, where `swap` is as good: many processes would swap the same entry again and again.
   */
  count?(
    key: string,
    change: 1 | -1,
    options: { readonly limit: number; readonly everyMs: number },
  ): Promise<number>;
  /** Resolves to whether there was an entry. */
  delete(key: string): Promise<boolean>;
  /** Resolves to the entries of a prefix in the order of their keys, by code points. */
  list(request: ListRequest): Promise<readonly StoredEntry[]>;
  close(): Promise<void>;
}

/** What a driver gets to open with. */
export interface OpenStorage {
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the bot: relative paths refer to it. */
  readonly root: string;
}

/** The setting `storage` of a bot: opens a driver at the first use, and again after a failure. */
export interface StorageSetting {
  /** What it is, for messages: `.virgule/storage.db`. */
  readonly name: string;
  /** Whether no other process can open it, so that nothing changes in it unnoticed. @defaultValue false */
  readonly isPrivate?: boolean | undefined;
  /** Rejects with what is missing here, such as a package, so that a bot that needs a storage does not start without one. */
  readonly check?: (() => Promise<unknown>) | undefined;
  open(options: OpenStorage): Promise<StorageDriver>;
}

const SURROGATE = /[\uD800-\uDFFF]/;

/** Compares keys by their code points, as databases order them. JavaScript compares halves of some characters. */
export function compareKeys(one: string, other: string): number {
  if (SURROGATE.test(one) || SURROGATE.test(other)) {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
