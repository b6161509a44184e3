import path from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { envFileNames } from '@virgule/runtime/project';
import { isAssetFile } from '../project-paths.js';
import { FileWatcher } from './file-watcher.js';

export interface WatchOptions {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Selects the files with variables, such as `.env.<mode>`. @defaultValue `'development'` */
  readonly mode?: string | undefined;
  /** Receives the absolute path of each file that was added, changed or deleted. */
  readonly onChange: (file: string) => void;
  /** Receives errors of the system, for example because of too many files. All other files are still watched. */
  readonly onError: (error: unknown) => void;
  /** Compares all files repeatedly, for disks that do not report changes. @defaultValue `false` */
  readonly poll?: boolean | undefined;
  readonly clock: Clock;
}

/** Matches files that can be imported or that affect imports. Files of any other kind are part of a bot in `assets/` only. */
const WATCHED = /\.(?:[mc]?[jt]sx?|json|node|wasm|lockb?|ya?ml)$/;

/** Watches a project, except `node_modules`, `dist` in the root, and dotfiles other than `.env*` in the root. */
export function watchProject(options: WatchOptions) {
  const { root, mode = 'development', onChange } = options;
  const envFiles = envFileNames(mode);
  /** Added folders, in which ignore rules apply only to the files' own names. */
  const added = new Set<string>();
  const watcher = new FileWatcher({
    ...options,
    ignored(file) {
      if (added.has(file)) return false;
      const [folder, name] = [path.dirname(file), path.basename(file)];
      return added.has(folder) ? name.startsWith('.') : isIgnored(path.relative(root, file));
    },
    onFile(file) {
      const isAsset = isAssetFile(path.relative(root, file));
      if (isAsset || WATCHED.test(file) || envFiles.includes(path.basename(file))) onChange(file);
    },
  });
  watcher.add(root, true);
  return {
    /** Watches more folders, without their subfolders: code of the project may be anywhere. */
    add(folders: readonly string[]): void {
      for (const folder of folders) {
        if (isIgnored(path.relative(root, folder))) added.add(folder);
        watcher.add(folder, false);
      }
    },
    close: (): void => watcher.close(),
    [Symbol.dispose]: (): void => watcher.close(),
  };
}

/** @param relative - path relative to the root; files outside of the root are watched only on request. */
function isIgnored(relative: string): boolean {
  const parts = relative.split(path.sep);
  const [first = ''] = parts;
  if (first === '..' || first === 'dist' || path.isAbsolute(relative)) return true;
  if (parts.length === 1 && first.startsWith('.env')) return false;
  return parts.some((part) => part.startsWith('.') || part === 'node_modules');
}
