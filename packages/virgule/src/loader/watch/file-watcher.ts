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
import { orUndefined } from '@virgule/core/objects';
import type { Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';
import { statsOf } from '../read-source.js';
import { watchWithChokidar } from './chokidar-folders.js';
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
  realPath: string;
  /** True if subfolders are watched as well. */
  readonly isDeep: boolean;
  readonly entries: Map<string, Entry>;
  /** Inode of the watched folder, which differs if another one has replaced it; `undefined` once the watch has ended. */
  ino: number | undefined;
  /** Events of the system; absent if it does not name the files that change. */
  events?: FSWatcher | undefined;
}

/**
 * Time in milliseconds after which a new, empty or deleted file is reported if it stays in that state. Many programs
 * save a file by writing another one and renaming it, or empty it before they write it.
 */
const SETTLE_MS = 20;
/**
 * Watches folders with chokidar. On Linux, the system names the files that change, which is faster, and chokidar looks for
 * files and folders that come and go; elsewhere, and on disks that report no changes, chokidar watches all. Each event only
 * starts a comparison of a file with its last reported state. A file that is reachable through several links is reported
 * once.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #chokidar;
  readonly #hasNames: boolean;
  readonly #folders = new Map<string, Folder>();
  /** Real paths of the watched folders, by path: links may point to their own parents. */
  readonly #realPaths = new Map<string, string>();
  /** New, empty or deleted files, which are checked again. */
  readonly #unsettled = new Set<string>();
  #nextCheck: Timer | undefined;
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    this.#hasNames = process.platform === 'linux' && !options.poll;
    this.#chokidar = watchWithChokidar({
      ...options,
      hasNames: this.#hasNames,
      isGone: (folder) => this.#folders.get(folder)?.ino === undefined,
      onEvent: (...event) => this.#onEvent(...event),
    });
  }

  /** Watches a folder, also after it was deleted and is back. @param isDeep - True to watch the folders in it. */
  add(folder: string, isDeep: boolean, isNews = false): void {
    if (this.#isClosed) return;
    try {
      const realPath = realpathSync.native(folder);
      const knownAs = this.#realPaths.get(realPath);
      const known = this.#folders.get(knownAs ?? folder);
      if (known && (known.isDeep || !isDeep)) return;
      if (knownAs !== undefined) this.#forget(knownAs);
      const { ino } = statSync(folder);
      const opened: Folder = { realPath, isDeep, ino, entries: new Map() };
      this.#folders.set(folder, opened);
      this.#realPaths.set(realPath, folder);
      // Started before the folder is read, so that no file is missed.
      this.#watch(folder, opened);
      for (const name of readdirSync(folder)) this.#check(folder, name, isNews);
    } catch (error) {
      if (!isMissing(error)) this.#options.onError(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#chokidar.close();
    this.#nextCheck?.cancel();
    for (const { events } of this.#folders.values()) events?.close();
    this.#folders.clear();
  }

  /** Watches a known folder, instead of the folder that was there before. */
  #watch(folder: string, known: Folder): void {
    known.events?.close();
    this.#chokidar.restart(folder);
    if (!this.#hasNames) return;
    try {
      const onEvent = this.#onEvent.bind(this, folder);
      known.events = watch(folder, onEvent).on('error', this.#options.onError);
    } catch (error) {
      if (isMissing(error)) known.ino = undefined;
      else this.#options.onError(error);
    }
  }

  #onEvent(folder: string, event: string, name: string | null): void {
    if (name !== null) this.#check(folder, name, true);
    // The folder was deleted or moved, and the watch with it. Another one may be in its place, with the same inode.
    const hasEnded = event === 'rename' && name === path.basename(folder);
    const known = this.#folders.get(folder);
    if (known && hasEnded) known.ino = undefined;
    if (hasEnded || name === null) this.#compare(folder);
  }

  #forget(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    known.events?.close();
    this.#chokidar.unwatch(folder);
    this.#realPaths.delete(known.realPath);
    this.#folders.delete(folder);
  }

  /** Compares a folder with its reported state, and watches a folder that has replaced it. */
  #compare(folder: string): void {
    const known = this.#folders.get(folder);
    if (!known) return;
    const stats = statsOf(folder);
    if (!stats?.isDirectory()) known.ino = undefined;
    else if (stats.ino !== known.ino) {
      known.ino = stats.ino;
      this.#realPaths.delete(known.realPath);
      known.realPath = realPathOf(folder) ?? known.realPath;
      this.#realPaths.set(known.realPath, folder);
      this.#watch(folder, known);
    }
    const isThere = known.ino !== undefined;
    const names = isThere ? namesIn(folder) : [];
    for (const name of new Set([...known.entries.keys(), ...names]))
      this.#check(folder, name, true);
    if (isThere || known.entries.size > 0) return;
    // The folder around this one reports its return, but not the return of a link's target.
    if (this.#folders.get(path.dirname(folder))?.isDeep && !isLink(folder)) this.#forget(folder);
    else this.#chokidar.compareLater(folder);
  }

  /** Compares an entry of a folder with its reported state. */
  #check(folder: string, name: string, isNews: boolean): void {
    const known = this.#folders.get(folder);
    const file = path.join(folder, name);
    if (!known || this.#options.ignored(file)) return;
    const [stats, target] = statsAndTargetOf(file);
    const entry = known.entries.get(name) ?? { stamp: undefined };
    known.entries.set(name, entry);
    const leadsElsewhere = entry.target !== target;
    if (stats?.isDirectory()) {
      // A file that a folder has replaced counts as deleted.
      if (entry.stamp !== undefined && entry.stamp !== FOLDER) this.#options.onFile(file);
      else if (entry.stamp === FOLDER && leadsElsewhere) this.#reopen(file, known, entry.target);
      entry.stamp = FOLDER;
      entry.target = target;
      entry.unsettledMs = undefined;
      const inner = this.#folders.get(file);
      if (!inner && known.isDeep) this.add(file, true, isNews);
      else if (inner && inner.ino !== stats.ino) this.#compare(file);
      return;
    }
    if (entry.stamp === FOLDER) {
      this.#compare(file);
      if (this.#folders.get(file)?.entries.size) return this.#checkAgain(file);
      entry.stamp = undefined;
    }
    const stamp = stats && stampOf(stats);
    if (stamp === entry.stamp) entry.unsettledMs = undefined;
    else if (!isNews) Object.assign(entry, { stamp, target });
    else if (this.#isSettled(entry, stats)) {
      const isKnown = entry.stamp !== undefined && stats !== undefined && !leadsElsewhere;
      Object.assign(entry, { stamp, target, unsettledMs: undefined });
      const realPath = target ?? path.join(known.realPath, name);
      if (!isKnown || !this.#isWatchedElsewhere(file, realPath)) this.#options.onFile(file);
    } else this.#checkAgain(file);
    if (!stats && entry.stamp === undefined) known.entries.delete(name);
  }

  /** Checks an entry again that is new, empty or deleted. */
  #checkAgain(file: string): void {
    this.#unsettled.add(file);
    this.#nextCheck ??= this.#options.clock.setTimeout(() => {
      this.#nextCheck = undefined;
      const files = [...this.#unsettled];
      this.#unsettled.clear();
      for (const each of files) this.#check(path.dirname(each), path.basename(each), true);
      for (const folder of new Set(files.map((each) => path.dirname(each))))
        if (this.#folders.get(folder)?.ino === undefined) this.#compare(folder);
    }, SETTLE_MS);
  }

  /** Watches the new target folder of a link, and reports the files of both targets. */
  #reopen(link: string, { isDeep }: Folder, before: string | undefined): void {
    for (const folder of this.#folders.keys())
      if (folder === link || folder.startsWith(link + path.sep)) this.#forget(folder);
    const names = [link, before].flatMap((folder) => (folder ? allNamesIn(folder) : []));
    if (isDeep) this.add(link, true);
    for (const name of new Set(names)) {
      const file = path.join(link, name);
      if (!this.#options.ignored(file) && !statsOf(file)?.isDirectory()) this.#options.onFile(file);
    }
  }

  /** Returns whether a file is a link to another watched file, which is reported itself. */
  #isWatchedElsewhere(file: string, realPath: string): boolean {
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

const isLink = (file: string): boolean =>
  orUndefined(() => lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink() ?? false;
const realPathOf = (file: string): string | undefined =>
  orUndefined(() => realpathSync.native(file));
const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** Returns the names of all files and folders below a folder, without the contents of links. */
const allNamesIn = (folder: string): readonly string[] =>
  orUndefined(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? [];

/** Returns the stats of a file or of a link's target, and the real path of that target. */
function statsAndTargetOf(file: string): readonly [stats?: Stats | undefined, target?: string] {
  const stats = orUndefined(() => lstatSync(file, { throwIfNoEntry: false }));
  if (!stats?.isSymbolicLink()) return [stats];
  const target = realPathOf(file);
  return target === undefined ? [] : [statsOf(target), target];
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)));
