import { dirname, join } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { statsOf } from '../../loader/read-source.js';

/** Time in milliseconds without file changes before the changes are taken. */
export const QUIET_MS = 20;
/** Time in milliseconds after which changes are taken even if files still change. */
const MAX_WAIT_MS = 1_000;
/**
 * Limits for a number of files that suggests a checkout or a tool, whose writes are further apart than those of an
 * editor.
 */
const MANY = { files: 5, quietMs: 100, maxWaitMs: 5_000 };

/**
 * Collects the files that change. The first change is taken at once. Changes that follow closely, such as the other
 * files of a checkout, and changes during a reload are taken together.
 */
export class Changes {
  readonly #clock: Clock;
  readonly #isHeld: () => boolean;
  readonly #files = new Set<string>();
  #lastMs = -Infinity;

  /** @param isHeld - Returns true while more files are about to change, such as during a checkout by git. */
  constructor(clock: Clock, isHeld: () => boolean) {
    this.#clock = clock;
    this.#isHeld = isHeld;
  }

  /** True if all changed files were taken. */
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

  /**
   * Resolves when no file has changed for {@link QUIET_MS} (longer for many files), or when the maximum wait is over.
   */
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

/** Age in milliseconds at which a lock counts as abandoned by a killed git. */
const ABANDONED_MS = 10_000;

/**
 * Returns whether git is changing files of a folder, as in a checkout: git keeps its index locked until all files are
 * written. Looks for `.git` in the folder and its parents. A worktree, whose lock is elsewhere, is not recognized.
 */
export function isGitWriting(folder: string, nowMs: number): boolean {
  const atMs = statsOf(join(folder, '.git', 'index.lock'))?.mtimeMs;
  // The clocks of disks differ, also by less than a millisecond.
  if (atMs !== undefined) return Math.abs(nowMs - atMs) < ABANDONED_MS;
  const parent = dirname(folder);
  return parent !== folder && isGitWriting(parent, nowMs);
}
