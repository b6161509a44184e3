import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import type { Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';
import { watch, type FSWatcher } from 'chokidar';
import { statsOf } from '../read-source.js';
import type { WatchOptions } from './watch-project.js';

export interface FileWatcherOptions extends Pick<WatchOptions, 'onError' | 'poll' | 'clock'> {
  /** Returns whether a path is ignored; an ignored folder is ignored with its contents. Called for every path. */
  readonly ignored: (file: string) => boolean;
  /** Called for each file that was added, changed or deleted. */
  readonly onFile: (file: string) => void;
}

interface Entry {
  /** State of the file when it was last reported; `undefined` for a file that was not reported yet. */
  stamp: string | undefined;
  /** Real path of the link's target at that time, if the file is a link. */
  target?: string | undefined;
  /** Start of the time during which the file has been new, empty or deleted, in monotonic milliseconds. */
  unsettledMs?: number | undefined;
}

interface Folder {
  readonly realPath: string;
  /** True if subfolders are watched as well. */
  readonly isDeep: boolean;
  readonly entries: Map<string, Entry>;
  /** Inode. Differs if another folder has replaced this one, which chokidar does not notice. */
  ino: number;
  timer?: Timer | undefined;
  /** Number of comparisons since the last event. */
  comparisons: number;
}

/**
 * Time in milliseconds after which a new, empty or deleted file is reported if it stays in that state. Many programs
 * save a file by writing another one and renaming it, or empty it before they write it.
 */
const SETTLE_MS = 20;
/**
 * Delays of the comparisons of a folder with its reported state after an event, in milliseconds after the previous
 * comparison. chokidar drops changes of a file within 50 ms and deletions within 100 ms of the last one, and files
 * that are written to a new folder before chokidar watches it.
 */
const COMPARE_AFTER_MS = [SETTLE_MS, 40, 60, 130, 500];
/**
 * Interval in milliseconds at which files are compared if the system does not report changes, and at which a deleted
 * folder is looked for.
 */
const POLL_EVERY_MS = 500;

/**
 * Watches folders with chokidar. An event only indicates where something may have changed; the watcher reports the
 * difference between the files and their last reported state. Files that are reachable through links are reported
 * once.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #watcher: FSWatcher;
  readonly #folders = new Map<string, Folder>();
  /** Real paths of the watched folders, by path: links may point to their own parents. */
  readonly #realPaths = new Map<string, string>();
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    this.#watcher = watch([], {
      ignoreInitial: true,
      atomic: false,
      usePolling: options.poll ?? false,
      interval: POLL_EVERY_MS,
      ignored: (file, stats) => this.#isIgnored(file, stats),
    });
    this.#watcher.on('all', (_, file) => this.#receive(file));
    this.#watcher.on('error', options.onError);
    // Finds changes between the first scan and the first watch. A polled file has its first scan after this event, so
    // the folders are compared again shortly after it.
    this.#watcher.on('ready', () =>
      [...this.#folders.keys()].forEach((folder) => {
        this.#compare(folder);
        this.#compareAgain(folder);
      }),
    );
  }

  /**
   * Watches a folder. A deleted folder is watched again as soon as it is back.
   *
   * @param isDeep - True to watch the folders in it as well.
   */
  add(folder: string, isDeep: boolean): void {
    if (!this.#open(folder, isDeep, false)) return;
    this.#watcher.add(folder);
    // Changes made before chokidar watches the folder produce no event.
    this.#compareLater(folder);
  }

  close(): void {
    this.#isClosed = true;
    void this.#watcher.close();
    for (const { timer } of this.#folders.values()) timer?.cancel();
  }

  #isIgnored(file: string, stats: Stats | undefined): boolean {
    if (this.#options.ignored(file)) return true;
    if (!stats || stats.isFile()) return false;
    const isShallow = this.#folders.get(path.dirname(file))?.isDeep === false;
    const isAsked = this.#folders.has(file);
    if (isShallow && !isAsked && statsOf(file)?.isDirectory()) return true;
    const knownAs = this.#realPaths.get(realPathOf(file) ?? '') ?? file;
    return knownAs !== file && this.#folders.get(knownAs)?.isDeep === true;
  }

  /** @returns whether chokidar has to watch the folder. */
  #open(folder: string, isDeep: boolean, isNews: boolean): boolean {
    if (this.#isClosed) return false;
    try {
      const realPath = realpathSync(folder);
      const knownAs = this.#realPaths.get(realPath);
      const known = this.#folders.get(knownAs ?? folder);
      if (known && (known.isDeep || !isDeep)) return false;
      if (knownAs !== undefined) {
        this.#forget(knownAs);
        if (knownAs !== folder) this.#watcher.unwatch(knownAs);
      }
      const { ino } = statSync(folder);
      this.#folders.set(folder, { realPath, isDeep, ino, entries: new Map(), comparisons: 0 });
      this.#realPaths.set(realPath, folder);
      for (const name of readdirSync(folder)) this.#check(folder, name, isNews);
      // Files written before chokidar watches the folder produce no event.
      if (isNews) this.#compareLater(folder);
      return true;
    } catch (error) {
      // The folder was deleted before it could be read.
      if (!isMissing(error)) this.#options.onError(error);
      return false;
    }
  }

  #forget(folder: string): void {
    const known = this.#folders.get(folder);
    known?.timer?.cancel();
    if (known) this.#realPaths.delete(known.realPath);
    this.#folders.delete(folder);
  }

  #receive(file: string): void {
    const folder = path.dirname(file);
    this.#check(folder, path.basename(file), true);
    this.#compareAgain(folder);
    this.#compareAgain(file);
  }

  #compareAgain(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    if (known.comparisons > 0) known.timer?.cancel();
    if (known.comparisons > 0) known.timer = undefined;
    known.comparisons = 0;
    this.#compareLater(folder);
  }

  #compareLater(folder: string): void {
    const known = this.#folders.get(folder);
    const delayMs = COMPARE_AFTER_MS[known?.comparisons ?? 0];
    if (!known || delayMs === undefined || this.#isClosed) return;
    known.timer ??= this.#options.clock.setTimeout(() => {
      known.timer = undefined;
      known.comparisons += 1;
      this.#compare(folder);
      this.#compareLater(folder);
    }, delayMs);
  }

  /** Compares a folder with its reported state. */
  #compare(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known || this.#isClosed) return;
    const stats = statsOf(folder);
    const isThere = stats?.isDirectory() ?? false;
    if (stats && isThere && stats.ino !== known.ino) {
      known.ino = stats.ino;
      this.#watcher.unwatch(folder);
      this.#watcher.add(folder);
      this.#compareAgain(folder);
    }
    const names = isThere ? namesIn(folder) : [];
    for (const name of new Set([...known.entries.keys(), ...names]))
      this.#check(folder, name, true);
    if (isThere || known.entries.size > 0) return;
    this.#forget(folder);
    if (!this.#folders.has(path.dirname(folder))) this.#await(folder, known.isDeep);
  }

  /** Watches a folder as soon as it exists again, as after a rename and back. */
  #await(folder: string, isDeep: boolean): void {
    if (this.#isClosed) return;
    if (this.#open(folder, isDeep, true)) {
      this.#watcher.unwatch(folder);
      this.#watcher.add(folder);
    } else this.#options.clock.setTimeout(() => this.#await(folder, isDeep), POLL_EVERY_MS);
  }

  /** Compares an entry of a folder with its reported state. */
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
      // A file that a folder has replaced counts as deleted.
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
      if (this.#folders.has(file)) return this.#compareLater(folder);
      entry.stamp = undefined;
    }
    const stamp = stats && stampOf(stats);
    if (stamp === entry.stamp) entry.unsettledMs = undefined;
    else if (!isNews) Object.assign(entry, { stamp, target });
    else if (this.#isSettled(entry, stats)) {
      const isKnown = entry.stamp !== undefined && stats !== undefined && !leadsElsewhere;
      Object.assign(entry, { stamp, target, unsettledMs: undefined });
      if (!isKnown || !this.#isWatchedElsewhere(file)) this.#options.onFile(file);
    } else this.#compareAgain(folder);
    if (!stats && entry.stamp === undefined) known.entries.delete(name);
  }

  /** Watches the new target folder of a link, and reports the files of both targets. */
  #reopen(link: string, { isDeep }: Folder, before: string | undefined): void {
    for (const folder of this.#folders.keys())
      if (folder === link || folder.startsWith(link + path.sep)) this.#forget(folder);
    this.#watcher.unwatch(link);
    const names = [link, before].flatMap((folder) => (folder ? allNamesIn(folder) : []));
    if (isDeep && this.#open(link, true, false)) this.#watcher.add(link);
    for (const name of new Set(names)) {
      const file = path.join(link, name);
      if (!this.#options.ignored(file) && !statsOf(file)?.isDirectory()) this.#options.onFile(file);
    }
  }

  /** Returns whether a file is a link to another watched file, which is reported itself. */
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

/** Returns a stamp that differs whenever a file was written or replaced. */
const stampOf = ({ ino, mtimeMs, ctimeMs, size }: Stats): string =>
  `${ino} ${mtimeMs} ${ctimeMs} ${size}`;

const realPathOf = (file: string): string | undefined => orUndefined(() => realpathSync(file));
const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** Returns the names of all files and folders below a folder, without the contents of links. */
const allNamesIn = (folder: string): readonly string[] =>
  orUndefined(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? [];

/** Returns the real path of a link's target; `undefined` for a file that is not a link. */
const targetOf = (file: string): string | undefined =>
  orUndefined(() => (lstatSync(file).isSymbolicLink() ? realpathSync(file) : undefined));

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)));
