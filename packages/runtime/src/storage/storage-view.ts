import type { Timer } from '@virgule/core/clock';
import { createOutage } from '@virgule/core/log';
import type { OpenStorage, StoredEntry } from './storage-driver.js';

/** Interval in milliseconds of reading the entries: other processes write, and entries expire. */
const READ_MS = 5_000;

export interface StorageViewOptions extends Pick<OpenStorage, 'clock' | 'log'> {
  /** Prefix of the keys. */
  readonly prefix: string;
  /** Reads all entries with the prefix. */
  readonly entries: () => AsyncIterable<StoredEntry>;
}

/** Copies of all entries with a prefix. */
export class StorageView {
  readonly #options: StorageViewOptions;
  #texts = new Map<string, string>();
  /** Writes of this process since a read began: the read may return the values before these writes. */
  #writes = new Map<string, string | undefined>();
  #ready: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isClosed = false;
  readonly #outage: ReturnType<typeof createOutage>;

  constructor(options: StorageViewOptions) {
    this.#options = options;
    this.#outage = createOutage(options.log);
  }

  /** Resolves after the first read. After a failure, the next call reads again. */
  ready(): Promise<void> {
    this.#ready ??= this.#read().then(() => this.#readLater());
    this.#ready.catch(() => (this.#ready = undefined));
    return this.#ready;
  }

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  written(key: string, text: string | undefined): void {
    if (!key.startsWith(this.#options.prefix)) return;
    put(this.#texts, key, text);
    this.#writes.set(key, text);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #read(): Promise<void> {
    this.#writes = new Map();
    const texts = new Map<string, string>();
    for await (const { key, value } of this.#options.entries()) texts.set(key, value);
    for (const [key, text] of this.#writes) put(texts, key, text);
    this.#texts = texts;
    this.#outage.ended();
  }

  #readLater(): void {
    if (this.#isClosed) return;
    const { clock, prefix } = this.#options;
    const read = async (): Promise<void> => {
      await this.#read().catch((error: unknown) => {
        if (!this.#isClosed)
          this.#outage.failed(error, 'a view of the storage is out of date', { prefix });
      });
      this.#readLater();
    };
    this.#timer = clock.setTimeout(() => void read(), READ_MS, { isRoutine: true });
  }
}

function put(texts: Map<string, string>, key: string, text: string | undefined): void {
  if (text === undefined) texts.delete(key);
  else texts.set(key, text);
}
