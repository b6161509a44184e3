import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { StorageView } from './storage-view.js';
import type { OpenStorage, StorageDriver, StorageSetting, StoredEntry } from './storage-driver.js';

/** Maximum number of entries that are listed at a time. */
export const MAX_LIST = 1_000;

/** The driver of a storage, from its first use to its end. */
export class StorageConnection {
  readonly #setting: StorageSetting;
  readonly #options: OpenStorage;
  #opening: Promise<StorageDriver> | undefined;
  #isClosed = false;
  /** Views by the prefix of their keys. */
  readonly #views = new Map<string, StorageView>();

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

  /** Yields all entries whose key starts with `prefix`, from those after a key on, read in pages. */
  async *entries(prefix: string, after?: string): AsyncGenerator<StoredEntry, void, undefined> {
    for (;;) {
      const request = { prefix, after, limit: MAX_LIST };
      const page = await this.run((driver) => driver.list(request));
      yield* page;
      after = page.at(-1)?.key;
      if (page.length < MAX_LIST) return;
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
  written(key: string, text: string | undefined): void {
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
