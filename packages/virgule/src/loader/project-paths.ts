import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { orUndefined } from '@virgule/core/objects';

/** Names files of a project in one way, whatever links lead to them. */
export type ProjectPaths = ReturnType<typeof createProjectPaths>;

export function createProjectPaths(givenRoot: string) {
  const root = path.resolve(givenRoot);
  const realRoot = realpathSync.native(root);
  const isInside = (folder: string, file: string): boolean =>
    file === folder || file.startsWith(folder + path.sep);
  return {
    /** The project's folder, absolute, as it was given. */
    root,
    /**
     * Returns one name for a file, given as path or as file URL, however it was reached: its real path; below `root` when the real path is
     * inside the real root. A file that does not exist is named by its folder.
     */
    canonical(file: string): string {
      const real = realPath(path.resolve(root, pathOf(file)));
      return isInside(realRoot, real) ? root + real.slice(realRoot.length) : real;
    },
    /** Returns whether a file is code of the project, wherever it is, and not one of its dependencies. */
    isOwn: (file: string): boolean =>
      !isDependencyPath(isInside(root, file) ? file.slice(root.length) : file),
    /** Returns a path for messages: relative to the root, with forward slashes; absolute if that is shorter. */
    display(file: string): string {
      const relative = path.relative(root, file);
      const shown = relative !== '' && relative.length < file.length ? relative : file;
      return path.sep === '/' ? shown : shown.replaceAll(path.sep, '/');
    },
  };
}

/** Returns whether a path runs through a `node_modules` folder. */
export function isDependencyPath(file: string): boolean {
  return file.split(path.sep).includes('node_modules');
}

/** Returns the path of a file given as path or as file URL. */
export function pathOf(fileOrUrl: string): string {
  return fileOrUrl.startsWith('file:') ? fileURLToPath(fileOrUrl) : fileOrUrl;
}

/** Returns the path of a file URL; `undefined` for one that means no path on this machine, as Node.js reports. */
export const pathOfUrl = (url: string | URL): string | undefined =>
  orUndefined(() => fileURLToPath(url));

function realPath(file: string): string {
  try {
    // The native form also returns the spelling on disk where the file system ignores case.
    return realpathSync.native(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(realPath(folder), path.basename(file));
  }
}
