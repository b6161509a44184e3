import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';

/** What a build does on disk, so that a test can fill it. */
export interface BuildFiles {
  /** Returns the kind of what is there; `undefined` if nothing is. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>;
  makeFolder(path: string): Promise<unknown>;
  /** Removes a path with everything below it. A path that does not exist is no error. */
  remove(path: string): Promise<void>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Copies a file. */
  copy(from: string, to: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}

export const nodeFiles: BuildFiles = {
  kindOf: (path) =>
    stat(path).then(
      (found) => (found.isDirectory() ? 'folder' : 'file'),
      () => undefined,
    ),
  makeFolder: (path) => mkdir(path, { recursive: true }),
  remove: (path) => rm(path, { recursive: true, force: true }),
  write: (path, content) => writeFile(path, content),
  copy: (from, to) => copyFile(from, to),
  move: (from, to) => rename(from, to),
};
