import path from 'node:path';
import { systemClock, type Clock } from '@virgule/core/clock';
import { watch } from 'chokidar';
import { createChangeBatcher } from './change-batcher.js';
import { createSecondLook } from './second-look.js';

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
 * together every 10 ms. `CHOKIDAR_USEPOLLING` in the environment makes it poll.
 */
export function watchProject({
  root,
  onChange,
  ignored = () => false,
  onError = () => {},
  clock = systemClock,
}: WatchOptions): ProjectWatcher {
  const batcher = createChangeBatcher({ clock, onBatch: onChange });
  // Formatters write a file again right after the editor has; chokidar drops such a change.
  const secondLook = createSecondLook({ clock, onChange: (file) => batcher.add(file) });
  const watcher = watch(root, {
    ignoreInitial: true,
    ignored: (file) => isIgnored(root, file) || ignored(file),
  });
  const ready = new Promise<void>((resolve) => void watcher.once('ready', () => resolve()));
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (file) => {
      secondLook.watch(file);
      batcher.add(file);
    });
  }
  watcher.on('error', onError);

  async function close(): Promise<void> {
    secondLook.close();
    batcher.close();
    await watcher.close();
  }

  return { ready, close, [Symbol.asyncDispose]: close };
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
