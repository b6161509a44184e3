import path from 'node:path';
import { systemClock, type Clock } from '@virgule/core/clock';
import { watch } from 'chokidar';
import { createChangeBatcher } from './change-batcher.js';
import { createSecondLook } from './second-look.js';
import { watchFolders, type WatchFoldersOptions } from './watch-folders.js';

export interface WatchOptions {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Gets the absolute paths that were added, changed or deleted, each once, in the order they came. */
  readonly onChange: (paths: readonly string[]) => void;
  /**
   * Paths to leave out, besides `node_modules`, `dist` in the root, what editors put beside a file
   * they save, and names that begin with a dot (except `.env*` in the root).
   *
   * @defaultValue nothing more
   */
  readonly ignored?: (file: string) => boolean;
  /** Told when the system cannot watch, for example because of too many files. The rest goes on. */
  readonly onError?: (error: unknown) => void;
  /** Looks at all files again and again: for disks that do not tell what changes. @defaultValue false */
  readonly poll?: boolean | undefined;
  readonly clock?: Clock;
}

export interface ProjectWatcher extends AsyncDisposable {
  /** Resolves once every change from now on is seen; when polling, from the next round on. */
  readonly ready: Promise<void>;
  /** Stops; nothing is told afterwards. */
  close(): Promise<void>;
}

const EDITOR_ENDINGS = ['~', '.swp', '.swx', '.tmp'];

/** What vim writes to find out whether it may write; it is gone a moment later. */
const EDITOR_PROBE = '4913';

/**
 * Watches the files of a project. The first change is told at once, those that follow are told
 * together every 10 ms.
 */
export function watchProject({
  root,
  onChange,
  ignored = () => false,
  onError = () => {},
  poll = false,
  clock = systemClock,
}: WatchOptions): ProjectWatcher {
  const batcher = createChangeBatcher({ clock, onBatch: onChange });
  const onFile = (file: string): void => batcher.add(file);
  const isLeftOut = (file: string): boolean => isIgnored(root, file) || ignored(file);
  const options = { root, ignored: isLeftOut, onFile, onError, clock };
  // On Linux the watches of the system are as good, and chokidar looks at a thousand files for each change.
  const inner =
    process.platform === 'linux' && !poll
      ? watchBySystem(options)
      : watchByChokidar({ ...options, poll });
  const { ready } = inner;

  async function close(): Promise<void> {
    batcher.close();
    await inner.close();
  }

  return { ready, close, [Symbol.asyncDispose]: close };
}

interface InnerWatcher {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

function watchBySystem(options: WatchFoldersOptions): InnerWatcher {
  const stop = watchFolders(options);
  return { ready: Promise.resolve(), close: async () => stop() };
}

function watchByChokidar(options: WatchFoldersOptions & { readonly poll: boolean }): InnerWatcher {
  const { root, ignored, onFile, onError, clock, poll } = options;
  // Formatters write a file again right after the editor has; chokidar drops such a change.
  const secondLook = createSecondLook({ clock, onChange: onFile });
  const watcher = watch(root, { ignoreInitial: true, ignored, usePolling: poll });
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (file) => {
      secondLook.watch(file);
      onFile(file);
    });
  }
  watcher.on('error', onError);
  return {
    ready: new Promise<void>((resolve) => void watcher.once('ready', () => resolve())),
    async close() {
      secondLook.close();
      await watcher.close();
    },
  };
}

function isIgnored(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  if (relative === '') return false;
  const parts = relative.split(path.sep);
  const name = parts.at(-1) ?? '';
  if (parts.length === 1 && name.startsWith('.env')) return false;
  if (parts[0] === 'dist' || parts.includes('node_modules')) return true;
  if (name === EDITOR_PROBE || EDITOR_ENDINGS.some((ending) => name.endsWith(ending))) return true;
  return parts.some((part) => part.startsWith('.'));
}
