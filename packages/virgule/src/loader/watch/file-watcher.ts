import { readdirSync, realpathSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Timer } from '@virgule/core/clock';

export interface FileWatcherOptions {
  /** Whether a path is left out, a folder with everything in it. Called for every path. */
  readonly ignored: (file: string) => boolean;
  /** A file was added, changed or deleted. */
  readonly onFile: (file: string) => void;
  readonly onError: (error: unknown) => void;
  /** Compares the files every half a second, instead of waiting for events of the system. */
  readonly poll: boolean;
  readonly clock: Clock;
}

interface Entry {
  /** How it looked when it was reported last; `undefined` for a file that was not reported yet. */
  stamp: string | undefined;
  /** Runs while it is not certain that a new, empty or deleted file stays as it is. */
  settling: Timer | undefined;
}

interface Folder {
  readonly watcher: FSWatcher | undefined;
  readonly realPath: string;
  /** Whether the folders in it are watched as well. */
  readonly isDeep: boolean;
  readonly entries: Map<string, Entry>;
}

const FOLDER = 'folder ';
/**
 * How long a new, empty or deleted file has to stay that way until it is reported, in milliseconds. Many programs save
 * a file by writing another one and renaming it, or empty it before they write it.
 */
const SETTLE_MS = 20;
/** How long after a round of polling the next one starts, in milliseconds. */
const POLL_EVERY_MS = 500;

/**
 * Watches folders, with one watch of the system per folder: a change costs one `stat`, regardless of the number of
 * files. The contents of a link to a folder are reported with the path of the link, and once if several lead to them.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #folders = new Map<string, Folder>();
  /** The watched folders by their real paths: links may point to their own parents. */
  readonly #realPaths = new Map<string, string>();
  #polling: Timer | undefined;
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    if (options.poll) this.#pollLater();
  }

  /**
   * Watches a folder. If it is deleted, it is watched again as soon as it is back.
   *
   * @param isDeep - whether to watch the folders in it as well.
   * @param isNews - whether to report the files that it contains now.
   */
  add(folder: string, isDeep: boolean, isNews = false): void {
    if (this.#isClosed) return;
    try {
      const realPath = realpathSync(folder);
      const knownAs = this.#realPaths.get(realPath);
      const known = this.#folders.get(knownAs ?? folder);
      if (known && (known.isDeep || !isDeep)) return;
      if (knownAs !== undefined) this.#forget(knownAs);
      // The watch comes first: both report what happens in between.
      const watcher = this.#options.poll ? undefined : this.#watch(folder);
      this.#folders.set(folder, { watcher, realPath, isDeep, entries: new Map() });
      this.#realPaths.set(realPath, folder);
      for (const name of readdirSync(folder)) this.#check(folder, name, isNews);
    } catch (error) {
      // It was deleted in the meantime.
      if (!isMissing(error)) this.#options.onError(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#polling?.cancel();
    for (const folder of this.#folders.keys()) this.#forget(folder);
  }

  #watch(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => this.#receive(folder, name));
    watcher.on('error', () => this.#remove(folder));
    return watcher;
  }

  /** @param name - of an entry of the folder, or of the folder itself; `null` if the system does not say. */
  #receive(folder: string, name: string | null): void {
    if (name === null) return this.#checkAll(folder, namesIn(folder));
    const isItself = name === path.basename(folder) && !statsOf(path.join(folder, name));
    if (!isItself) return this.#check(folder, name);
    // This folder was deleted or moved. Another one may have taken its place, which needs its own watch.
    const parent = path.dirname(folder);
    const isDeep = this.#folders.get(folder)?.isDeep ?? false;
    this.#folders.get(parent)?.entries.delete(name);
    this.#remove(folder);
    if (this.#folders.has(parent)) this.#check(parent, name);
    else this.#await(folder, isDeep);
  }

  /** Watches a folder as soon as it is there again, as after a rename and back. */
  #await(folder: string, isDeep: boolean): void {
    this.add(folder, isDeep, true);
    if (this.#folders.has(folder) || this.#isClosed) return;
    this.#options.clock.setTimeout(() => this.#await(folder, isDeep), POLL_EVERY_MS);
  }

  /** Stops watching a folder that is not there any more, and reports its files as deleted. */
  #remove(folder: string): void {
    const entries = this.#folders.get(folder)?.entries;
    this.#forget(folder);
    for (const [name, { stamp }] of entries ?? []) {
      const file = path.join(folder, name);
      if (isFolder(stamp)) this.#remove(file);
      else if (stamp !== undefined) this.#options.onFile(file);
    }
  }

  #forget(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    known.watcher?.close();
    for (const { settling } of known.entries.values()) settling?.cancel();
    this.#folders.delete(folder);
    this.#realPaths.delete(known.realPath);
  }

  #checkAll(folder: string, names: readonly string[]): void {
    const known = this.#folders.get(folder)?.entries.keys() ?? [];
    for (const name of new Set([...known, ...names])) this.#check(folder, name);
  }

  /** Compares an entry of a folder with what was reported of it. */
  #check(
    folder: string,
    name: string,
    isNews = true,
    stats = statsOf(path.join(folder, name)),
  ): void {
    const known = this.#folders.get(folder);
    const file = path.join(folder, name);
    if (!known || this.#options.ignored(file)) return;
    const entry = known.entries.get(name) ?? { stamp: undefined, settling: undefined };
    known.entries.set(name, entry);
    const stamp = stats && stampOf(stats);
    if (isFolder(stamp) || isFolder(entry.stamp)) {
      this.#checkFolder(file, known, entry, stamp, isNews);
    } else if (!isNews) {
      entry.stamp = stamp;
    } else if (stats && stats.size > 0 && entry.stamp !== undefined) {
      // One save can cause several events.
      this.#settle(file, entry, stamp);
    } else {
      entry.settling ??= this.#options.clock.setTimeout(() => {
        const now = statsOf(file);
        if (isFolder(now && stampOf(now))) entry.settling = undefined;
        else this.#settle(file, entry, now && stampOf(now));
        if (!now) known.entries.delete(name);
      }, SETTLE_MS);
    }
  }

  #settle(file: string, entry: Entry, stamp: string | undefined): void {
    entry.settling?.cancel();
    entry.settling = undefined;
    if (stamp === entry.stamp) return;
    entry.stamp = stamp;
    this.#options.onFile(file);
  }

  #checkFolder(
    file: string,
    { entries, isDeep }: Folder,
    entry: Entry,
    stamp: string | undefined,
    isNews: boolean,
  ): void {
    // A folder whose watch ended has to be watched again.
    if (stamp === entry.stamp && (!isDeep || this.#folders.has(file))) return;
    entry.settling?.cancel();
    const before = entry.stamp;
    if (stamp === undefined) entries.delete(path.basename(file));
    else entries.set(path.basename(file), { stamp, settling: undefined });
    if (isFolder(before)) this.#remove(file);
    if (!isFolder(before) && before !== undefined) this.#options.onFile(file);
    if (isFolder(stamp) && isDeep) this.add(file, true, isNews);
    if (!isFolder(stamp) && stamp !== undefined) this.#options.onFile(file);
  }

  #pollLater(): void {
    const round = async (): Promise<void> => {
      for (const folder of this.#folders.keys()) await this.#poll(folder);
      if (!this.#isClosed) this.#pollLater();
    };
    this.#polling = this.#options.clock.setTimeout(() => void round(), POLL_EVERY_MS);
  }

  /** Asynchronous: the disk may be on another machine. */
  async #poll(folder: string): Promise<void> {
    const names = await readdir(folder).catch(() => null);
    if (!names) return this.#remove(folder);
    const known = this.#folders.get(folder)?.entries.keys() ?? [];
    for (const name of new Set([...known, ...names])) {
      const file = path.join(folder, name);
      if (this.#options.ignored(file)) continue;
      const stats = await stat(file).catch(() => undefined);
      if (!this.#isClosed) this.#check(folder, name, true, stats);
    }
  }
}

/** Differs whenever a file was written or replaced, and a folder replaced. */
const stampOf = (stats: Stats): string =>
  stats.isDirectory()
    ? `${FOLDER}${stats.ino}`
    : `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;

const isFolder = (stamp: string | undefined): boolean => stamp?.startsWith(FOLDER) ?? false;

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // A link to itself, or a folder on the path has become a file.
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
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
