import path from 'node:path';
import { soon, type Timer } from '@virgule/core/clock';
import { watch, type FSWatcher } from 'chokidar';
import type { WatchOptions } from './watch-project.js';

interface ChokidarOptions extends Pick<WatchOptions, 'onError' | 'poll' | 'clock'> {
  readonly ignored: (file: string) => boolean;
  /** `true` if the system names the files that change: chokidar then looks for new and deleted files and folders alone. */
  readonly hasNames: boolean;
  /** Returns whether a folder was deleted. */
  readonly isGone: (folder: string) => boolean;
  /** Called at each event of a folder; `name` is `null` if any of its files may have changed. */
  readonly onEvent: (folder: string, event: string, name: string | null) => void;
}

/** Interval in milliseconds at which chokidar polls folders, and files if the system does not report changes. */
const POLL_EVERY_MS = 500;

/**
 * Watches folders with chokidar, which works on every system and disk, each folder by itself: chokidar misses that a folder
 * which it knows from the folder around it was deleted and is back, if that was within 100 ms of its last deletion. Events
 * of a folder make chokidar read the whole folder for each save in it. So with `hasNames` it polls the folders, which change
 * only when an entry is added, renamed or deleted, and no files: also on a network disk, where the system does not name
 * the changes that other machines make.
 */
export function watchWithChokidar(options: ChokidarOptions) {
  const { clock, poll = false, hasNames, ignored, isGone, onEvent, onError } = options;
  const watchers = new Map<string, FSWatcher>();
  const timers = new Map<string, Timer>();
  let isClosed = false;

  function compareLater(folder: string): void {
    timers.get(folder)?.cancel();
    const timer = clock.setTimeout(() => compare(folder), POLL_EVERY_MS);
    timers.set(folder, timer);
  }

  function compare(folder: string): void {
    // chokidar does not watch a folder that did not exist for a moment when it looked for it.
    const isMissed = watchers.get(folder)?.getWatched()[folder] === undefined;
    if (isMissed) onEvent(folder, 'rename', path.basename(folder));
    else if (!hasNames || isGone(folder)) onEvent(folder, 'change', null);
  }

  function open(folder: string): FSWatcher {
    const watcher = watch(folder, {
      depth: 0,
      ignoreInitial: true,
      atomic: false,
      usePolling: poll || hasNames,
      interval: POLL_EVERY_MS,
      ignored: (file, stats) =>
        file !== folder && ((stats && (hasNames || stats.isDirectory())) || ignored(file)),
    });
    // Comes without the pauses in which chokidar drops events: 50 ms for changes of a file, 100 ms for deletions.
    watcher.on('raw', (event, file, details) => {
      const { watchedPath } = details as { readonly watchedPath?: string };
      const at = path.resolve(watchedPath ?? file);
      if (at !== folder) onEvent(folder, 'change', path.basename(at));
      else onEvent(folder, event, watchedPath === undefined ? null : file);
    });
    // Finds changes between the first scan and the first watch. A polled file has its first scan after these events.
    watcher.on('ready', () => onEvent(folder, 'change', null));
    for (const event of ['ready', 'add'] as const) watcher.on(event, () => compareLater(folder));
    return watcher.on('error', onError);
  }

  function end(folder: string): void {
    timers.get(folder)?.cancel();
    timers.delete(folder);
    void watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  return {
    /** Watches a folder, also if it has replaced another one. Not during a report of chokidar, which would fail. */
    restart: (folder: string): void =>
      soon(() => {
        end(folder);
        if (isClosed) return;
        watchers.set(folder, open(folder));
        compareLater(folder);
      }),
    unwatch: (folder: string): void => soon(() => end(folder)),
    /** Reports later that all files of a folder may have changed. */
    compareLater,
    close(): void {
      isClosed = true;
      for (const folder of [...watchers.keys(), ...timers.keys()]) end(folder);
    },
  };
}
