import { dirname, join } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { statsOf } from '../../loader/read-source.js';

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

/** A lock that is older was left behind by a git that was killed, in milliseconds. */
const ABANDONED_MS = 10_000;

/**
 * Returns whether git is changing files of a folder, as in a checkout: it keeps its index locked until all are written.
 * `.git` is looked for in the folder and those above it; a worktree, whose lock is elsewhere, is not recognized.
 */
export function isGitWriting(folder: string, nowMs: number): boolean {
  const atMs = statsOf(join(folder, '.git', 'index.lock'))?.mtimeMs;
  // Clocks of disks differ, also by less than a millisecond.
  if (atMs !== undefined) return Math.abs(nowMs - atMs) < ABANDONED_MS;
  const parent = dirname(folder);
  return parent !== folder && isGitWriting(parent, nowMs);
}
