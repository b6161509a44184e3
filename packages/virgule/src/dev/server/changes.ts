import type { Clock } from '@virgule/core/clock';

/** For how long no file may change before the changes are taken, in milliseconds. */
export const QUIET_MS = 20;
/** After this time they are taken although files still change, in milliseconds. */
const MAX_WAIT_MS = 1_000;
/** The same for as many files as only a checkout or a tool changes: it may write the next one a little later. */
const MANY = { files: 5, quietMs: 100, maxWaitMs: 5_000 };

/**
 * Collects the files that change. A save is taken at once. What follows closely, such as the other files of a checkout,
 * and everything that changes while a change is being taken, is taken together.
 */
export class Changes {
  readonly #clock: Clock;
  readonly #isHeld: () => boolean;
  readonly #files = new Set<string>();
  #lastMs = -Infinity;

  /** @param isHeld - whether more files are about to change, such as while git is in a checkout. */
  constructor(clock: Clock, isHeld: () => boolean) {
    this.#clock = clock;
    this.#isHeld = isHeld;
  }

  /** Whether all files that have changed were taken. */
  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  add(file: string): void {
    this.#files.add(file);
    this.#lastMs = this.#clock.monotonic();
  }

  /** Returns the files that have changed since the last call, in order. */
  take(): readonly string[] {
    const files = [...this.#files];
    this.#files.clear();
    return files;
  }

  /** Resolves when no file has changed for a while. */
  async quiet(): Promise<void> {
    const sinceMs = this.#clock.monotonic();
    for (;;) {
      const nowMs = this.#clock.monotonic();
      const isHeld = this.#isHeld();
      const isMany = isHeld || this.#files.size >= MANY.files;
      const quietMs = isMany ? MANY.quietMs : QUIET_MS;
      const maxWaitMs = isMany ? MANY.maxWaitMs : MAX_WAIT_MS;
      const sinceLastMs = isHeld ? 0 : nowMs - this.#lastMs;
      const leftMs = Math.min(quietMs - sinceLastMs, sinceMs + maxWaitMs - nowMs);
      if (leftMs <= 0) return;
      await this.#clock.sleep(leftMs);
    }
  }
}
