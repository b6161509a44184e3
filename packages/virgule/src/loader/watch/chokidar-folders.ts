import type { Stats } from 'node:fs';
import path from 'node:path';
import { soon, type Timer } from '@virgule/core/clock';
import { watch } from 'chokidar';
import type { WatchOptions } from './watch-project.js';

interface ChokidarOptions extends Pick<WatchOptions, 'onError' | 'poll' | 'clock'> {
  readonly ignored: (file: string, stats: Stats | undefined) => boolean;
  /** `true` if the system names the files that change: chokidar then looks for new and deleted files and folders alone. */
  readonly hasNames: boolean;
  /** Called when a file may have changed. */
  readonly check: (file: string) => void;
  /** Called when any file of a folder may have changed; has no effect on other paths. */
  readonly compare: (folder: string) => void;
  /** Returns the watched folders. */
  readonly folders: () => Iterable<string>;
}

/**
 * Delays of the comparisons of a folder after an event, in milliseconds after the previous comparison. chokidar drops
 * changes of a file within 50 ms and deletions within 100 ms of the last one, and files that are written to a new
 * folder before chokidar watches it.
 */
const COMPARE_AFTER_MS = [20, 40, 60, 130, 500];
/** Interval in milliseconds at which files are compared if the system does not report changes. */
export const POLL_EVERY_MS = 500;

/**
 * Watches folders with chokidar, which works on every system and disk. Its events of a folder make it read the whole folder
 * for each save in it. So with `hasNames` it polls the folders, which change only when an entry is added, renamed or deleted,
 * and no files: also on a network disk, where the system does not name the changes that other machines make.
 */
export function watchWithChokidar(options: ChokidarOptions) {
  const { clock, poll = false, hasNames, ignored, check, compare, folders, onError } = options;
  const timers = new Map<string, Timer>();
  const watcher = watch([], {
    ignoreInitial: true,
    atomic: false,
    usePolling: poll || hasNames,
    interval: POLL_EVERY_MS,
    ignored: (file, stats) => (hasNames && stats?.isFile()) || ignored(file, stats),
  });

  function compareAgain(folder: string, step = 0): void {
    const delayMs = COMPARE_AFTER_MS[step];
    timers.get(folder)?.cancel();
    timers.delete(folder);
    if (delayMs === undefined || watcher.closed || hasNames) return;
    const next = (): void => {
      compare(folder);
      compareAgain(folder, step + 1);
    };
    timers.set(folder, clock.setTimeout(next, delayMs));
  }
  function compareAllAgain(): void {
    for (const folder of folders()) {
      compare(folder);
      compareAgain(folder);
    }
  }

  /** chokidar fails if a path is no longer watched while it reports that path. */
  function afterReport(change: () => void): void {
    soon(() => {
      if (!watcher.closed) change();
    });
  }

  watcher.on('all', (_, file) => {
    check(file);
    compareAgain(path.dirname(file));
    compareAgain(file);
  });
  watcher.on('error', onError);
  // Finds changes between the first scan and the first watch. A polled file has its first scan after this event.
  watcher.on('ready', compareAllAgain);
  // Names a polled path that changed.
  if (hasNames) watcher.on('raw', (_, folder) => compare(folder));
  return {
    /** Watches a folder, also if it has replaced another one. */
    restart(folder: string): void {
      afterReport(() => watcher.unwatch(folder).add(folder));
      compareAgain(folder);
    },
    unwatch: (folder: string): void => afterReport(() => watcher.unwatch(folder)),
    close(): void {
      void watcher.close();
      for (const timer of timers.values()) timer.cancel();
    },
  };
}
