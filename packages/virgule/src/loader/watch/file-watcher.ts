import { lstatSync, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import type { FSWatcher, Stats } from 'node:fs';
import path from 'node:path';
import type { Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { statsOf } from '../read-source.js';
import type { WatchOptions } from './watch-project.js';

export interface FileWatcherOptions extends Pick<WatchOptions, 'onError' | 'poll' | 'clock'> {
  /** Whether a path is left out, a folder with everything in it. Called for every path. */
  readonly ignored: (file: string) => boolean;
  /** A file was added, changed or deleted. */
  readonly onFile: (file: string) => void;
}

interface Entry {
  /** How it looked when it was reported last; `undefined` for a file that was not reported yet. */
  stamp: string | undefined;
  /** The real path that it led to then, if it is a link. */
  target?: string | undefined;
  /** Since when it has been new, empty or deleted, in monotonic milliseconds. */
  unsettledMs?: number | undefined;
}

interface Folder {
  readonly realPath: string;
  /** Whether the folders in it are watched as well. */
  readonly isDeep: boolean;
  readonly entries: Map<string, Entry>;
  /** Differs if another folder has taken its place. */
  ino: number;
  /** Absent while the folder is gone, and if all are compared repeatedly. */
  watcher: FSWatcher | undefined;
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
 * Watches folders, each by itself. An event only says where something may have changed; what is reported is the
 * difference between the files and what was reported last. Files that are reachable through links are reported once.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #folders = new Map<string, Folder>();
  /** The watched folders by their real paths: links may point to their own parents. */
  readonly #realPaths = new Map<string, string>();
  #pollTimer: Timer | undefined;
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
    this.#pollTimer?.cancel();
    for (const folder of this.#folders.keys()) this.#forget(folder);
  }

  /** Compares all folders again and again, with at least nine times as long in between as it takes. */
  #poll(): void {
    const { clock } = this.#options;
    const startMs = clock.monotonic();
    for (const folder of this.#folders.keys()) this.#compare(folder);
    const tookMs = clock.monotonic() - startMs;
    const delayMs = Math.max(POLL_EVERY_MS, 9 * tookMs);
    this.#pollTimer = clock.setTimeout(() => this.#poll(), delayMs);
  }

  /** @returns whether it was not watched before, and can be. */
  #open(folder: string, isDeep: boolean, isNews: boolean): boolean {
    if (this.#isClosed) return false;
    try {
      const realPath = realpathSync(folder);
      const knownAs = this.#realPaths.get(realPath);
      const known = this.#folders.get(knownAs ?? folder);
      if (known && (known.isDeep || !isDeep)) return false;
      if (knownAs !== undefined) this.#forget(knownAs);
      const { ino } = statSync(folder);
      // What is written before the names are read is no event for them.
      const watcher = this.#watch(folder);
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

  #watch(folder: string): FSWatcher | undefined {
    if (this.#options.poll) return undefined;
    const watcher = watch(folder, (_, name) => this.#receive(folder, name));
    // Windows reports one for a folder that is deleted.
    watcher.on('error', () => this.#receive(folder, null));
    return watcher;
  }

  #forget(folder: string): void {
    const known = this.#folders.get(folder);
    known?.timer?.cancel();
    known?.watcher?.close();
    if (known) this.#realPaths.delete(known.realPath);
    this.#folders.delete(folder);
  }

  /** @param name - of an entry, or of the folder itself: it was moved or deleted, and may be there again. */
  #receive(folder: string, name: string | null): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    if (name !== null) this.#check(folder, name, true);
    if (name !== null && name !== path.basename(folder)) return this.#compareSoon(folder);
    known.watcher?.close();
    known.watcher = undefined;
    this.#compare(folder);
  }

  #compareSoon(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known || this.#isClosed) return;
    known.timer ??= this.#options.clock.setTimeout(() => {
      known.timer = undefined;
      this.#compare(folder);
    }, SETTLE_MS);
  }

  /** Compares a folder with what was reported of it. */
  #compare(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known || this.#isClosed) return;
    const stats = statsOf(folder);
    const isThere = stats?.isDirectory() ?? false;
    if (stats && isThere && (stats.ino !== known.ino || !known.watcher)) {
      known.ino = stats.ino;
      known.watcher?.close();
      known.watcher = orUndefined(() => this.#watch(folder));
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
    if (this.#isClosed) return;
    if (this.#open(folder, isDeep, true)) return;
    this.#options.clock.setTimeout(() => this.#await(folder, isDeep), POLL_EVERY_MS);
  }

  /** Compares an entry of a folder with what was reported of it. */
  #check(folder: string, name: string, isNews: boolean): void {
    const known = this.#folders.get(folder);
    const file = path.join(folder, name);
    if (!known || this.#options.ignored(file)) return;
    const stats = statsOf(file);
    const entry = known.entries.get(name) ?? { stamp: undefined };
    known.entries.set(name, entry);
    const target = stats && targetOf(file);
    const leadsElsewhere = entry.target !== target;
    if (stats?.isDirectory()) {
      // A file that was replaced by a folder is deleted.
      if (entry.stamp !== undefined && entry.stamp !== FOLDER) this.#options.onFile(file);
      else if (entry.stamp === FOLDER && leadsElsewhere) this.#reopen(file, known, entry.target);
      entry.stamp = FOLDER;
      entry.target = target;
      entry.unsettledMs = undefined;
      const inner = this.#folders.get(file);
      if (!inner && known.isDeep) this.#open(file, true, isNews);
      else if (inner && inner.ino !== stats.ino) this.#compare(file);
      return;
    }
    if (entry.stamp === FOLDER) {
      this.#compare(file);
      if (this.#folders.has(file)) return this.#compareSoon(folder);
      entry.stamp = undefined;
    }
    const stamp = stats && stampOf(stats);
    if (stamp === entry.stamp) entry.unsettledMs = undefined;
    else if (!isNews) Object.assign(entry, { stamp, target });
    else if (this.#isSettled(entry, stats)) {
      const isKnown = entry.stamp !== undefined && stats !== undefined && !leadsElsewhere;
      Object.assign(entry, { stamp, target, unsettledMs: undefined });
      if (!isKnown || !this.#isWatchedElsewhere(file)) this.#options.onFile(file);
    } else this.#compareSoon(folder);
    if (!stats && entry.stamp === undefined) known.entries.delete(name);
  }

  /** Watches the folder that a link leads to now, and reports the files of both. */
  #reopen(link: string, { isDeep }: Folder, before: string | undefined): void {
    for (const folder of this.#folders.keys())
      if (folder === link || folder.startsWith(link + path.sep)) this.#forget(folder);
    const names = [link, before].flatMap((folder) => (folder ? allNamesIn(folder) : []));
    if (isDeep) this.#open(link, true, false);
    for (const name of new Set(names)) {
      const file = path.join(link, name);
      if (!this.#options.ignored(file) && !statsOf(file)?.isDirectory()) this.#options.onFile(file);
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

const realPathOf = (file: string): string | undefined => orUndefined(() => realpathSync(file));
const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** Returns the names of all that is in a folder and the folders in it, without what links lead to. */
const allNamesIn = (folder: string): readonly string[] =>
  orUndefined(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? [];

/** Returns the real path that a link leads to. */
const targetOf = (file: string): string | undefined =>
  orUndefined(() => (lstatSync(file).isSymbolicLink() ? realpathSync(file) : undefined));

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)));
