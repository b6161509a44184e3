import type { z } from 'zod';
import type { Duration } from '../text/duration.js';
import { checkKeys } from '../errors/check-keys.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Storable } from './json-text.js';
import { listLimit, type StorageConnection } from './storage-connection.js';
import { MAX_KEY_LENGTH, type StoredEntry } from './storage-driver.js';
import { check, current, parse, textOf, ttlMs } from './stored-value.js';

/** Options of `storage.set`. */
export interface StoreOptions {
  /** Time until the entry expires. @defaultValue the entry does not expire */
  readonly ttl?: Duration | undefined;
}

/** Options of `storage.update`. */
export interface UpdateOptions<Value> {
  /** Time until the entry expires. @defaultValue the expiry of the entry does not change */
  readonly ttl?: Duration | undefined;
  /** Schema that parses the current value. @defaultValue the type of the value is not checked */
  readonly schema?: z.ZodType<Value> | undefined;
}

/** Options of `storage.list`. */
export interface ListOptions {
  /** Key before the first result, such as the last key of the previous page. @defaultValue from the first key on */
  readonly after?: string | undefined;
  /** Maximum number of entries: 1 to 1,000. @defaultValue 100 */
  readonly limit?: number | undefined;
}

/** An entry that `storage.list` returns. */
export interface StorageEntry<Value> {
  readonly key: string;
  readonly value: Value;
}

/** Options of `storage.entry` and `storage.view`. */
export interface EntryOptions {
  /**
   * Returns a value that matches the schema for a stored value that does not, or that has fields which the schema does not have,
   * such as a value of an older version of the bot.
   */
  readonly upgrade?: ((stored: unknown) => unknown) | undefined;
}

/** An object under one key, such as settings, whose fields have defaults. */
export interface StoredObject<Schema extends z.ZodObject> {
  /**
   * Returns the object; without an entry, the defaults of the schema.
   *
   * @throws VirguleError `E_STORAGE_SCHEMA` if the object does not match the schema, also after `upgrade`; it stays stored.
   */
  readonly get: () => Promise<z.output<Schema>>;
  /** Changes fields in one step, and returns the object. Throws as `get` and `update` do. */
  readonly patch: (fields: Partial<z.input<Schema>>) => Promise<z.output<Schema>>;
  /** Deletes the entry, so that the defaults apply. Resolves to whether the entry existed. */
  readonly delete: () => Promise<boolean>;
}

// Control characters, and lone surrogates, which databases cannot store.
const INVALID_KEY = /[\p{Cc}\p{Cs}]/u;

/**
 * Persistent storage of a bot: values by key, which survive a restart. Values are JSON; a schema can check a value
 * when it is read. Opened at the first use. Every member can be destructured.
 *
 * Every method throws VirguleError `E_STORAGE_VALUE` for a key that is not a string of 1 to 512 characters without control
 * characters, and `E_STORAGE_FAILED` if the storage cannot be opened, read or written.
 */
export interface Storage {
  /**
   * Returns the value of a key; `undefined` if there is no entry. A schema parses the value; without a schema, the type
   * of the value is not checked.
   *
   * @throws VirguleError `E_STORAGE_SCHEMA` if the value does not match the schema.
   */
  readonly get: {
    <Value>(key: string, schema: z.ZodType<Value>): Promise<Value | undefined>;
    <Value = unknown>(key: string): Promise<Value | undefined>;
  };
  /**
   * Writes a value, and replaces an existing value.
   *
   * @throws VirguleError `E_STORAGE_VALUE` for a value that JSON would change, such as a `Date`, or with more than 1 MiB of
   *   JSON; `E_STORAGE_FULL` if the disk is full.
   */
  readonly set: <Value extends Storable>(
    key: string,
    value: Value,
    options?: StoreOptions,
  ) => Promise<void>;
  /** Deletes an entry. Resolves to whether the entry existed. */
  readonly delete: (key: string) => Promise<boolean>;
  /**
   * Changes a value in one step: `change` gets the current value and returns the new value, or `undefined` to delete the
   * entry. If other code changes the entry at the same time, `change` is called again with the changed value. Without a
   * `ttl`, the expiry of the entry does not change.
   *
   * @returns the new value.
   * @throws VirguleError `E_STORAGE_CONFLICT` if other code kept changing the entry for 10 s.
   */
  readonly update: {
    <Value extends Storable>(
      key: string,
      change: (current: Value | undefined) => Value | Promise<Value>,
      options?: UpdateOptions<Value>,
    ): Promise<Value>;
    <Value extends Storable>(
      key: string,
      change: (current: Value | undefined) => Value | undefined | Promise<Value | undefined>,
      options?: UpdateOptions<Value>,
    ): Promise<Value | undefined>;
  };
  /**
   * Returns the entries whose keys begin with a prefix, in the order of their keys.
   *
   * @throws VirguleError `E_STORAGE_SCHEMA` if a value does not match the schema.
   */
  readonly list: {
    <Value>(
      prefix: string,
      options: ListOptions & { readonly schema: z.ZodType<Value> },
    ): Promise<readonly StorageEntry<Value>[]>;
    <Value = unknown>(
      prefix?: string,
      options?: ListOptions,
    ): Promise<readonly StorageEntry<Value>[]>;
  };
  /** Yields all entries whose keys begin with a prefix, as `list` returns them. Entries may change in the meantime. */
  readonly entries: {
    <Value>(
      prefix: string,
      options: { readonly schema: z.ZodType<Value> },
    ): AsyncGenerator<StorageEntry<Value>, void, undefined>;
    <Value = unknown>(prefix?: string): AsyncGenerator<StorageEntry<Value>, void, undefined>;
  };
  /** Returns an object under a key. Its schema needs a default for each required field. */
  readonly entry: <Schema extends z.ZodObject>(
    key: string,
    schema: Schema,
    options?: EntryOptions,
  ) => StoredObject<Schema>;
  /**
   * Keeps all entries of this part of the storage in memory, and returns a function that returns the object of a key without
   * waiting; without an entry, the defaults of the schema. A write of this process shows at once, a write of another process
   * after 5 s at most. While the storage cannot be read, the objects stay as they are, which is logged.
   *
   * @throws VirguleError `E_STORAGE_SCHEMA` from the function, if the object does not match the schema, also after `upgrade`.
   */
  readonly view: <Schema extends z.ZodObject>(
    schema: Schema,
    options?: EntryOptions,
  ) => Promise<(key: string) => z.output<Schema>>;
  /** Returns a part of the storage, whose keys begin with the name and `:`. */
  readonly namespace: (name: string) => Storage;
  /** Returns the part of the storage for a server. @throws VirguleError `E_SERVER_UNKNOWN` for an empty or missing id. */
  readonly forServer: (serverId: string) => Storage;
  /** Returns the part of the storage for a command. */
  readonly forCommand: (name: string) => Storage;
}

/** Options of each function. A misspelled `ttl` would keep an entry forever. */
const OPTIONS = {
  set: ['ttl'],
  update: ['ttl', 'schema'],
  list: ['after', 'limit', 'schema'],
  entries: ['schema'],
  entry: ['upgrade'],
  view: ['upgrade'],
};

/** Returns the options of a call. @throws VirguleError `E_UNKNOWN_KEY`. */
function known<Options extends object>(call: keyof typeof OPTIONS, options: Options): Options {
  checkKeys(`storage.${call}()`, options, OPTIONS[call]);
  return options;
}

/** The schema of `UpdateOptions`, for any value. */
type Parsing = Pick<UpdateOptions<unknown>, 'schema'>;

/** Returns whether an entry can have this key. */
export const isStorageKey = (key: string): boolean =>
  key !== '' && key.length <= MAX_KEY_LENGTH && !INVALID_KEY.test(key);

/** Creates the storage of a connection: all entries, or the entries whose keys begin with a prefix. */
export function createStorage(connection: StorageConnection, prefix = ''): Storage {
  function pathOf(key: unknown): string {
    const path = `${prefix}${String(key)}`;
    if (typeof key !== 'string' || key === '' || !isStorageKey(path))
      throw runtimeErrors.E_STORAGE_VALUE({ kind: 'key', key, maximum: MAX_KEY_LENGTH });
    return path;
  }

  async function get(key: string, schema?: z.ZodType): Promise<unknown> {
    const path = pathOf(key);
    return parse(path, await connection.get(path), schema);
  }

  async function update(
    key: string,
    change: (current: never) => unknown,
    options: UpdateOptions<unknown> = {},
  ): Promise<unknown> {
    const { ttl, schema } = known('update', options);
    const path = pathOf(key);
    let next: unknown;
    const write = async (from: string | undefined): Promise<string | undefined> => {
      // The type of the current value is checked by the schema, or stated by the caller.
      next = await change(parse(path, from, schema) as never);
      return next === undefined ? undefined : textOf(path, next);
    };
    await connection.update(path, write, ttl === undefined ? 'keep' : ttlMs(ttl));
    return next;
  }

  const shown = ({ key, value }: StoredEntry, schema?: z.ZodType): StorageEntry<unknown> => ({
    key: key.slice(prefix.length),
    value: parse(key, value, schema),
  });

  async function list(
    start = '',
    options: ListOptions & Parsing = {},
  ): Promise<readonly StorageEntry<unknown>[]> {
    const { after, limit, schema } = known('list', options);
    const request = {
      prefix: start === '' ? prefix : pathOf(start),
      after: after === undefined ? undefined : pathOf(after),
      limit: listLimit(limit),
    };
    return (await connection.list(request)).map((found) => shown(found, schema));
  }

  async function* entries(start = '', options: Parsing = {}) {
    const { schema } = known('entries', options);
    const from = start === '' ? prefix : pathOf(start);
    for await (const found of connection.entries(from)) yield shown(found, schema);
  }

  function entry(key: string, schema: z.ZodObject, options: EntryOptions = {}) {
    const { upgrade } = known('entry', options);
    const path = pathOf(key);
    return {
      get: async () => check(path, current(await get(key), schema, upgrade), schema),
      async patch(fields: object) {
        const changed = await update(key, (stored: never) => {
          const next = { ...current(stored, schema, upgrade), ...fields };
          check(path, next, schema, fields);
          return next;
        });
        return check(path, changed, schema);
      },
      delete: () => storage.delete(key),
    };
  }

  async function view(schema: z.ZodObject, options: EntryOptions = {}) {
    const { upgrade } = known('view', options);
    const texts = await connection.view(prefix);
    return (key: string) => {
      const path = pathOf(key);
      const stored = parse(path, texts.get(path), undefined);
      return check(path, current(stored, schema, upgrade), schema);
    };
  }

  const namespace: Storage['namespace'] = (name) => createStorage(connection, `${pathOf(name)}:`);
  const storage = {
    get,
    async set(key: string, value: Storable, options: StoreOptions = {}) {
      const { ttl } = known('set', options);
      const path = pathOf(key);
      await connection.set(path, textOf(path, value), ttl === undefined ? null : ttlMs(ttl));
    },
    delete: async (key: string) => connection.delete(pathOf(key)),
    update,
    list,
    entries,
    entry,
    view,
    namespace,
    forServer(serverId: string) {
      // One part for all servers that are unknown would show the data of one in another.
      if (!serverId) throw runtimeErrors.E_SERVER_UNKNOWN({ owner: 'storage.forServer()' });
      return namespace(`server:${serverId}`);
    },
    forCommand: (name: string) => namespace(`command:${name}`),
  };
  // The caller or a schema states the types of values.
  return storage as Storage;
}
