import {
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
  watch,
  type FSWatcher,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import type { Clock, Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';

export interface FileWatcherOptions {
  /** Whether a path is left out, a folder with everything in it. Called for every path. */
  readonly ignored: (file: string) => boolean;
  /** A file was added, changed or deleted. */
  readonly onFile: (file: string) => void;
  readonly onError: (error: unknown) => void;
  /** Compares the files repeatedly, instead of waiting for events of the system. */
  readonly poll: boolean;
  readonly clock: Clock;
}

interface Entry {
  /** How it looked when it was reported last; `undefined` for a file that was not reported yet. */
  stamp: string | undefined;
  /** Since when it has been new, empty or deleted, in monotonic milliseconds. */
  unsettledMs?: number | undefined;
  /** Watches the file that a link leads to: its folder may not be watched. */
  target?: FSWatcher | undefined;
}

interface Folder {
  /** Whether the folders in it are watched as well. */
  readonly isDeep: boolean;
  readonly entries: Map<string, Entry>;
  realPath: string;
  /** Differs if another folder has taken its place; `undefined` while there is none. */
  ino: number | undefined;
  watcher?: FSWatcher | undefined;
  timer?: Timer | undefined;
}

/**
 * How long a new, empty or deleted file has to stay that way until it is reported, in milliseconds. Many programs save
 * a file by writing another one and renaming it, or empty it before they write it.
 */
const SETTLE_MS = 20;
/** How often files are compared if the system does not report changes, and a folder is looked for that is gone. */
const POLL_EVERY_MS = 500;

/**
 * Watches folders. An event only says where something may have changed; what is reported is the difference between the
 * files and what was reported last. Files that are reachable through links are reported once.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #folders = new Map<string, Folder>();
  /** The watched folders by their real paths: links may point to their own parents. */
  readonly #realPaths = new Map<string, string>();
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    if (options.poll) this.#poll();
  }

  /**
   * Watches a folder. If it is deleted, it is watched again as soon as it is back.
   *
   * @param isDeep - whether to watch the folders in it as well.
   */
  add(folder: string, isDeep: boolean): void {
    this.#open(folder, isDeep, false);
  }

  close(): void {
    this.#isClosed = true;
    for (const folder of this.#folders.keys()) this.#forget(folder);
  }

  #poll(): void {
    this.#options.clock.setTimeout(() => {
      if (this.#isClosed) return;
      for (const folder of this.#folders.keys()) this.#compare(folder);
      this.#poll();
    }, POLL_EVERY_MS);
  }

  /** @returns whether the folder is watched now and was not before. */
  #open(folder: string, isDeep: boolean, isNews: boolean): boolean {
    if (this.#isClosed) return false;
    try {
      const realPath = realpathSync(folder);
      const knownAs = this.#realPaths.get(realPath) ?? folder;
      const known = this.#folders.get(knownAs);
      if (known && (known.isDeep || !isDeep)) return false;
      this.#forget(knownAs);
      const { ino } = statSync(folder);
      // Watched before it is read: no change is missed in between.
      const watcher = this.#watchFolder(folder);
      this.#folders.set(folder, { realPath, isDeep, ino, watcher, entries: new Map() });
      this.#realPaths.set(realPath, folder);
      for (const name of readdirSync(folder)) this.#check(folder, name, isNews);
      return true;
    } catch (error) {
      // It was deleted in the meantime.
      if (!isMissing(error)) this.#options.onError(error);
      return false;
    }
  }

  #watchFolder(folder: string): FSWatcher | undefined {
    return this.#watch(folder, (name) => {
      // An event with its own name may say that it was deleted; another one may have its place, even the same inode.
      if (name === null || name === path.basename(folder)) this.#compare(folder, true);
      else this.#check(folder, name, true);
    });
  }

  #watch(file: string, onEvent: (name: string | null) => void): FSWatcher | undefined {
    if (this.#options.poll) return undefined;
    try {
      // What goes wrong later, as when a folder is deleted on Windows, shows when the files are compared.
      return watch(file, (_, name) => onEvent(name)).on('error', () => onEvent(null));
    } catch (error) {
      if (!isMissing(error)) this.#options.onError(error);
      return undefined;
    }
  }

  #forget(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    known.timer?.cancel();
    known.watcher?.close();
    for (const { target } of known.entries.values()) target?.close();
    this.#realPaths.delete(known.realPath);
    this.#folders.delete(folder);
  }

  #compareLater(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    known.timer ??= this.#options.clock.setTimeout(() => {
      known.timer = undefined;
      this.#compare(folder);
    }, SETTLE_MS);
  }

  /**
   * Compares a folder with what was reported of it.
   *
   * @param isReplaced - whether another folder may have taken its place, although it looks the same.
   */
  #compare(folder: string, isReplaced = false): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    const stats = statsOf(folder);
    const isThere = stats?.isDirectory() ?? false;
    const ino = isThere ? stats?.ino : undefined;
    if (isReplaced || ino !== known.ino) {
      // Also if it is gone: the next one may have its inode, but not its handle.
      this.#realPaths.delete(known.realPath);
      known.watcher?.close();
      known.ino = ino;
      known.realPath = realPathOf(folder) ?? folder;
      known.watcher = isThere ? this.#watchFolder(folder) : undefined;
      if (isThere) this.#realPaths.set(known.realPath, folder);
    }
    const names = isThere ? namesIn(folder) : [];
    for (const name of new Set([...known.entries.keys(), ...names]))
      this.#check(folder, name, true);
    if (isThere || known.entries.size > 0) return;
    this.#forget(folder);
    if (!this.#folders.has(path.dirname(folder))) this.#await(folder, known.isDeep);
  }

  /** Watches a folder as soon as it is there again, as after a rename and back. */
  #await(folder: string, isDeep: boolean): void {
    if (this.#isClosed || this.#open(folder, isDeep, true)) return;
    this.#options.clock.setTimeout(() => this.#await(folder, isDeep), POLL_EVERY_MS);
  }

  /** Compares an entry of a folder with what was reported of it. */
  #check(folder: string, name: string, isNews: boolean): void {
    const known = this.#folders.get(folder);
    const file = path.join(folder, name);
    if (!known || this.#options.ignored(file)) return;
    const isLink = statsOf(file, lstatSync)?.isSymbolicLink() ?? false;
    const stats = statsOf(file);
    const entry = known.entries.get(name) ?? { stamp: undefined };
    known.entries.set(name, entry);
    if (stats?.isDirectory()) {
      // A file that was replaced by a folder is deleted.
      if (entry.stamp !== undefined && entry.stamp !== FOLDER) this.#options.onFile(file);
      entry.stamp = FOLDER;
      entry.unsettledMs = undefined;
      const inner = this.#folders.get(file);
      if (!inner && known.isDeep) this.#open(file, true, isNews);
      else if (inner && inner.ino !== stats.ino) this.#compare(file);
      return;
    }
    if (entry.stamp === FOLDER) {
      this.#compare(file);
      if (this.#folders.has(file)) return this.#compareLater(folder);
      entry.stamp = undefined;
    }
    if (isLink && stats)
      entry.target ??= this.#watch(file, () => {
        // It may have been replaced: the next look watches the new one.
        entry.target?.close();
        entry.target = undefined;
        this.#check(folder, name, true);
      });
    const stamp = stats && stampOf(stats);
    if (stamp === entry.stamp) entry.unsettledMs = undefined;
    else if (!isNews) entry.stamp = stamp;
    else if (this.#isSettled(entry, stats)) {
      const isKnown = entry.stamp !== undefined && stats !== undefined;
      entry.unsettledMs = undefined;
      entry.stamp = stamp;
      if (!isKnown || !this.#isWatchedElsewhere(file)) this.#options.onFile(file);
    } else this.#compareLater(folder);
    if (!stats && entry.stamp === undefined) {
      entry.target?.close();
      known.entries.delete(name);
    }
  }

  /** Returns whether a file is a link to another watched one, which is reported itself. */
  #isWatchedElsewhere(file: string): boolean {
    const realPath = realPathOf(file) ?? file;
    const folder = this.#realPaths.get(path.dirname(realPath)) ?? '';
    return path.join(folder, path.basename(realPath)) !== file && this.#folders.has(folder);
  }

  #isSettled(entry: Entry, stats: Stats | undefined): boolean {
    if (stats && stats.size > 0 && entry.stamp !== undefined) return true;
    const nowMs = this.#options.clock.monotonic();
    entry.unsettledMs ??= nowMs;
    return nowMs - entry.unsettledMs >= SETTLE_MS;
  }
}

const FOLDER = 'folder';

/** Differs whenever a file was written or replaced. */
const stampOf = ({ ino, mtimeMs, ctimeMs, size }: Stats): string =>
  `${ino} ${mtimeMs} ${ctimeMs} ${size}`;

function statsOf(file: string, read: typeof lstatSync = statSync): Stats | undefined {
  try {
    return read(file, { throwIfNoEntry: false });
  } catch {
    // A link to itself, or a folder on the path has become a file.
    return undefined;
  }
}

function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)));
