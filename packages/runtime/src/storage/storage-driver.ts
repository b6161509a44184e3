import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { compareText } from '@virgule/core/text';

/** Maximum length of a key with its namespace, in characters. */
export const MAX_KEY_LENGTH = 512;

/** Time until an entry expires, in milliseconds. `null`: never; `'keep'`: the expiry of the entry does not change. */
export type Expiry = number | null | 'keep';

/** The argument of `list` of a storage driver. */
export interface ListRequest {
  /** Prefix of the keys; empty for all keys. */
  readonly prefix: string;
  /** Key before the first result: only later keys are listed. @defaultValue from the first key on */
  readonly after?: string | undefined;
  /** Maximum number of entries, 1 or more. */
  readonly limit: number;
}

/** An entry of a storage driver. */
export interface StoredEntry {
  readonly key: string;
  /** Value as JSON. */
  readonly value: string;
  /** Time until the entry expires, in milliseconds; `null` if the entry does not expire. */
  readonly expiresInMs: number | null;
}

/**
 * A driver that stores entries of a key and a string. Keys have 1 to 512 characters, and strings are JSON of up to
 * 1 MiB; the caller has checked both. Every method may be called at any time before `close`, and rejects if the
 * operation failed. A resolved write survives the end of the process.
 */
export interface StorageDriver {
  /** Resolves to the string of a key; `undefined` if there is no entry or the entry has expired. */
  get(key: string): Promise<string | undefined>;
  /** Writes an entry, and replaces an existing entry. */
  set(key: string, value: string, expiry: number | null): Promise<void>;
  /**
   * Replaces the entry of a key by `to` in one step, if the entry is still `from`. `undefined` means no entry, for
   * both. Resolves to whether the entry was replaced.
   */
  swap(
    key: string,
    from: string | undefined,
    to: string | undefined,
    expiry: Expiry,
  ): Promise<boolean>;
  /**
   * Adds 1 or -1 to a count in one step, unless the count would exceed the limit. Resolves to 0 if the count was changed, else
   * to the rest of the window in milliseconds. A window begins with its first count; the entry is a number. Absent in a driver
   * that no other process shares, where `swap` is as good: many processes would have to repeat swaps of the same entry.
   */
  count?(
    key: string,
    change: 1 | -1,
    options: { readonly limit: number; readonly everyMs: number },
  ): Promise<number>;
  /** Deletes an entry. Resolves to whether the entry existed. */
  delete(key: string): Promise<boolean>;
  /** Resolves to the entries with a prefix, sorted by the code points of their keys. */
  list(request: ListRequest): Promise<readonly StoredEntry[]>;
  close(): Promise<void>;
}

/** Options of `StorageSetting.open`. */
export interface OpenStorage {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the bot. Relative paths are relative to this folder. */
  readonly root: string;
}

/** The setting `storage` of a bot: opens a driver at the first use, and again after a failure. */
export interface StorageSetting {
  /** Name for messages: `.virgule/storage.db`. */
  readonly name: string;
  /** `true` if no other process can open the storage, so that this process knows every change. @defaultValue false */
  readonly isPrivate?: boolean | undefined;
  /** Checks requirements, such as a package. Rejects with an error if one is missing, so that the bot does not start. */
  readonly check?: (() => Promise<unknown>) | undefined;
  open(options: OpenStorage): Promise<StorageDriver>;
}

const SURROGATE = /[\uD800-\uDFFF]/;

/** Compares keys by their code points, as databases do. The operators of JavaScript compare UTF-16 code units. */
export function compareKeys(one: string, other: string): number {
  return SURROGATE.test(one) || SURROGATE.test(other)
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : compareText(one, other);
}
