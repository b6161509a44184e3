import { readdirSync, realpathSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@virgule/core/clock';

export interface WatchFoldersOptions {
  /** Absolute. */
  readonly root: string;
  readonly ignored: (file: string) => boolean;
  /** A file came, changed or went. */
  readonly onFile: (file: string) => void;
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

interface Folder {
  readonly watcher: FSWatcher;
  /** What is in it, each with what it looked like last. */
  readonly entries: Map<string, string>;
}

const FOLDER = 'folder ';
/** Many programs empty a file before they write it; it is told when it is still empty after so long, in milliseconds. */
const EMPTY_MS = 20;

/**
 * Watches a folder and everything in it, with one watch of the system for each folder. A change costs
 * one look at one file, however many there are.
 *
 * @returns how to stop.
 */
export function watchFolders(options: WatchFoldersOptions): () => void {
  const { root, ignored, onFile, onError, clock } = options;
  const folders = new Map<string, Folder>();
  /** Real paths of folders, so that links cannot lead round in a circle. */
  const real = new Map<string, string>();
  let isClosed = false;

  /** @param isTold - whether its files are news. */
  function open(folder: string, isTold: boolean): void {
    if (folders.has(folder) || isClosed) return;
    try {
      const target = realpathSync(folder);
      if ([...real.values()].includes(target)) return;
      // First the watch, then the look: what comes in between is told by both.
      const watcher = watch(folder, (_, name) => name !== null && hear(folder, name));
      watcher.on('error', () => shut(folder));
      folders.set(folder, { watcher, entries: new Map() });
      real.set(folder, target);
      for (const name of readdirSync(folder)) look(folder, name, isTold);
    } catch (error) {
      // It went again in the same moment.
      if (!isGone(error)) onError(error);
    }
  }

  function hear(folder: string, name: string): void {
    const isItself = name === path.basename(folder) && !statsOf(path.join(folder, name));
    if (!isItself) return look(folder, name);
    // This folder went; the one that may be in its place by now has a watch of its own.
    const parent = path.dirname(folder);
    folders.get(parent)?.entries.delete(name);
    shut(folder);
    if (folder === root) open(folder, true);
    else look(parent, name);
  }

  function shut(folder: string): void {
    const known = folders.get(folder);
    if (!known) return;
    known.watcher.close();
    folders.delete(folder);
    real.delete(folder);
    for (const [name, stamp] of known.entries) {
      const file = path.join(folder, name);
      if (isFolder(stamp)) shut(file);
      else onFile(file);
    }
  }

  /** Something happened to an entry of a folder, or may have. */
  function look(folder: string, name: string, isTold = true): void {
    const entries = folders.get(folder)?.entries;
    const file = path.join(folder, name);
    if (!entries || isClosed || ignored(file)) return;
    const stats = statsOf(file);
    const before = entries.get(name);
    const stamp = stats && stampOf(stats);
    // One save can be told several times.
    if (stamp === before) return;
    if (stamp === undefined) entries.delete(name);
    else entries.set(name, stamp);
    // Another folder by the same name is another one.
    if (isFolder(before)) shut(file);
    if (isFolder(stamp)) open(file, isTold);
    else if (stats && isTold) tell(file, stats, () => entries.get(name) === stamp);
    else if (!stats && !isFolder(before)) onFile(file);
  }

  function tell(file: string, { size }: Stats, isStill: () => boolean): void {
    if (size > 0) return onFile(file);
    clock.setTimeout(() => {
      if (isStill() && !isClosed) onFile(file);
    }, EMPTY_MS);
  }

  open(root, false);
  return () => {
    isClosed = true;
    for (const { watcher } of folders.values()) watcher.close();
    folders.clear();
  };
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
    // A link that leads round in a circle, or a folder that has become a file: nothing to read there.
    return undefined;
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
