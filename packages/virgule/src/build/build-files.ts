import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';

/** What a build does to the disk, so that a test can fill it. */
export interface BuildFiles {
  /** What is there, if anything is. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>;
  makeFolder(path: string): Promise<unknown>;
  /** With everything below it; one that is not there is none. */
  remove(path: string): Promise<void>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** A file, or a folder with everything below it; links are followed. */
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
  copy: (from, to) => cp(from, to, { recursive: true, dereference: true }),
  move: (from, to) => rename(from, to),
};
