import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { StorageView } from './storage-view.js';
import type {
  Expiry,
  OpenStorage,
  StorageDriver,
  StorageSetting,
  StoredEntry,
} from './storage-driver.js';

/** Maximum number of entries that are listed at a time. */
const MAX_LIST = 1_000;

/** Returns the number of entries of a list. JavaScript may pass anything, such as `NaN`. */
export const listLimit = (limit = 100): number =>
  Math.min(Math.max(1, Math.trunc(limit) || 1), MAX_LIST);
/** Maximum time to repeat an update while other code changes the same entry, in milliseconds. */
const UPDATE_MS = 10_000;
/** Maximum pause between two attempts of an update, in milliseconds. */
const UPDATE_PAUSE_MS = 20;
/** Number of attempts without a pause. A test does not advance its clock for them. */
const AT_ONCE = 10;

/** The driver of a storage, from its first use to its end. Every method rejects with a VirguleError. */
export class StorageConnection implements Omit<StorageDriver, 'count'> {
  readonly #setting: StorageSetting;
  readonly #options: OpenStorage;
  #opening: Promise<StorageDriver> | undefined;
  #isClosed = false;
  /** Views by the prefix of their keys. */
  #views = new Map<string, StorageView>();

  /** Runs each use of the storage, if set. */
  watch: (<T>(name: string, run: () => Promise<T>) => Promise<T>) | undefined;
  readonly clock: Clock;
  readonly isPrivate: boolean;

  constructor(setting: StorageSetting, options: OpenStorage) {
    this.#setting = setting;
    this.#options = options;
    this.clock = options.clock;
    this.isPrivate = setting.isPrivate ?? false;
  }

  run<T>(call: (driver: StorageDriver) => Promise<T>): Promise<T> {
    return this.watch ? this.watch(this.#setting.name, () => this.#run(call)) : this.#run(call);
  }

  async #run<T>(call: (driver: StorageDriver) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#failure(new Error('the bot has ended'));
    try {
      return await call(await (this.#opening ??= this.#open()));
    } catch (error) {
      throw isVirguleError(error) ? error : this.#failure(error);
    }
  }

  get: StorageDriver['get'] = (key) => this.run((driver) => driver.get(key));
  list: StorageDriver['list'] = (request) => this.run((driver) => driver.list(request));

  /** Returns this connection for one run. `note` receives each entry that the run reads. */
  noting(note: (key: string, text: string | undefined) => void): StorageConnection {
    const noting = new StorageConnection(this.#setting, this.#options);
    noting.#views = this.#views;
    // A view outlives the run.
    noting.view = (prefix) => this.view(prefix);
    noting.run = (call) => this.run(call);
    noting.get = async (key) => {
      const text = await this.get(key);
      note(key, text);
      return text;
    };
    noting.list = async (request) => {
      const found = await this.list(request);
      for (const { key, value } of found) note(key, value);
      return found;
    };
    return noting;
  }

  async set(key: string, value: string, expiry: number | null = null): Promise<void> {
    await this.run((driver) => driver.set(key, value, expiry));
    this.#written(key, value);
  }

  async swap(
    key: string,
    from: string | undefined,
    to: string | undefined,
    expiry: Expiry = null,
  ): Promise<boolean> {
    const isSwapped = await this.run((driver) => driver.swap(key, from, to, expiry));
    if (isSwapped) this.#written(key, to);
    return isSwapped;
  }

  async delete(key: string): Promise<boolean> {
    const wasThere = await this.run((driver) => driver.delete(key));
    this.#written(key, undefined);
    return wasThere;
  }

  /**
   * Changes an entry in one step: if other code changes the entry at the same time, `next` is called again. Resolves to the entry
   * before and after.
   *
   * @throws VirguleError `E_STORAGE_CONFLICT` if other code kept changing the entry for 10 s.
   */
  async update(
    key: string,
    next: (from: string | undefined) => string | undefined | Promise<string | undefined>,
    expiry: Expiry = null,
  ) {
    const untilMs = this.clock.monotonic() + UPDATE_MS;
    for (let attempt = 1; ; attempt += 1) {
      const from = await this.get(key);
      const to = await next(from);
      const isKept = to === from && typeof expiry !== 'number';
      if (isKept || (await this.swap(key, from, to, expiry))) return { from, to };
      if (this.clock.monotonic() >= untilMs)
        throw runtimeErrors.E_STORAGE_CONFLICT({ key, attempts: attempt });
      await this.clock.sleep(Math.min(Math.max(0, attempt - AT_ONCE), UPDATE_PAUSE_MS));
    }
  }

  /** Yields all entries whose key starts with `prefix`, read in pages. @param from - key before the first entry */
  async *entries(prefix: string, from?: string, limit = MAX_LIST): AsyncGenerator<StoredEntry> {
    for (let after = from; ;) {
      const page = await this.list({ prefix, after, limit });
      yield* page;
      after = page.at(-1)?.key;
      if (page.length < limit) return;
    }
  }

  /** Returns the view of all entries whose key starts with `prefix`, after its first read. */
  async view(prefix: string): Promise<StorageView> {
    const entries = (): AsyncIterable<StoredEntry> => this.entries(prefix);
    const view = this.#views.get(prefix) ?? new StorageView({ ...this.#options, prefix, entries });
    this.#views.set(prefix, view);
    await view.ready();
    return view;
  }

  /** Changes the views after a write; `undefined` for a deleted entry. */
  #written(key: string, text: string | undefined): void {
    for (const view of this.#views.values()) view.written(key, text);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const view of this.#views.values()) view.close();
    const driver = await this.#opening?.catch(() => undefined);
    await driver?.close();
  }

  async #open(): Promise<StorageDriver> {
    try {
      return await this.#setting.open(this.#options);
    } catch (error) {
      // The cause may be gone at the next use.
      this.#opening = undefined;
      throw error;
    }
  }

  #failure(error: unknown): unknown {
    const details = { name: this.#setting.name, reason: errorText(error) };
    return runtimeErrors.E_STORAGE_FAILED(details, { cause: error });
  }
}
