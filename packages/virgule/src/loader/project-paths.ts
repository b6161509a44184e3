import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { orUndefined } from '@virgule/core/objects';

/** Provides one name for each file of a project, regardless of links. */
export type ProjectPaths = ReturnType<typeof createProjectPaths>;

export function createProjectPaths(givenRoot: string) {
  const root = path.resolve(givenRoot);
  const realRoot = realpathSync.native(root);
  const isInside = (folder: string, file: string): boolean =>
    file === folder || file.startsWith(folder + path.sep);
  return {
    /** Absolute path of the project's folder, as given. */
    root,
    /**
     * Returns the canonical path of a file, given as path or as file URL: its real path; a path below `root` when the
     * real path is inside the real root. A file that does not exist is named relative to the real path of its folder.
     */
    canonical(file: string): string {
      const real = realPath(path.resolve(root, pathOf(file)));
      return isInside(realRoot, real) ? root + real.slice(realRoot.length) : real;
    },
    /** Returns whether a file, perhaps outside of the folder, is code of the project and not of a dependency. */
    isOwn: (file: string): boolean =>
      !isDependencyPath(isInside(root, file) ? file.slice(root.length) : file),
    /** Returns a path for messages, with forward slashes: relative to the root, or absolute if that is shorter. */
    display(file: string): string {
      const relative = path.relative(root, file);
      const shown = relative !== '' && relative.length < file.length ? relative : file;
      return path.sep === '/' ? shown : shown.replaceAll(path.sep, '/');
    },
  };
}

/** Returns whether a path runs through a `node_modules` folder. */
const isDependencyPath = (file: string): boolean => file.split(path.sep).includes('node_modules');

/** Returns the path of a file given as path or as file URL. */
export const pathOf = (fileOrUrl: string): string =>
  fileOrUrl.startsWith('file:') ? fileURLToPath(fileOrUrl) : fileOrUrl;

/** Returns the path of a file URL; `undefined` for a URL that names no path on this machine. */
export const pathOfUrl = (url: string | URL): string | undefined =>
  orUndefined(() => fileURLToPath(url));

function realPath(file: string): string {
  // The native form also returns the spelling on disk where the file system ignores case.
  const real = orUndefined(() => realpathSync.native(file));
  const folder = path.dirname(file);
  return real ?? (folder === file ? file : path.join(realPath(folder), path.basename(file)));
}

/** Returns whether a file is in the folder `assets`. @param file - path relative to the project's root. */
export const isAssetFile = (file: string): boolean => file.startsWith(`assets${path.sep}`);
