import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { inDist, isCopied } from './own-modules.js';

/** Folder of the project that is always copied. */
const ASSETS = 'assets/';

interface CopiedFile {
  readonly from: string;
  /** Path relative to `dist/`, with `/`. */
  readonly place: string;
  readonly isFolder: boolean;
}

export type CopiedFiles = Awaited<ReturnType<typeof listCopied>>;

/**
 * Lists the files to copy: `assets/`, and the given files and folders with all contents. Links inside of these folders are not
 * followed, since they may lead to secrets. Hidden files, packages and earlier builds are not listed.
 *
 * @param reached - absolute paths.
 */
export async function listCopied(root: string, reached: Iterable<string>) {
  /** Files and folders to copy; each folder precedes its contents. */
  const entries = new Map<string, CopiedFile>();
  /** Files that are not copied, with their reasons: `data/keys (a link)`. */
  const refused = new Set<string>();

  async function add(from: string, kind: Stats): Promise<void> {
    const place = inDist(root, from);
    if (!kind.isFile() && !kind.isDirectory()) {
      refused.add(`${place} (${kind.isSymbolicLink() ? 'a link' : 'neither a file nor a folder'})`);
      return;
    }
    entries.set(place, { from, place, isFolder: kind.isDirectory() });
    for (const name of kind.isFile() ? [] : await readdir(from))
      if (isCopied(`${place}/${name}`)) await add(join(from, name), await lstat(join(from, name)));
  }

  for (const path of [join(root, ASSETS), ...reached]) {
    const kind = await stat(path).catch(() => undefined);
    if (kind) await add(path, kind);
  }
  return {
    entries: [...entries.values()].toSorted((left, right) => (left.place < right.place ? -1 : 1)),
    refused: [...refused].toSorted(),
  };
}

/** Returns whether a path is a folder, or inside the folder. */
export const isInside = (path: string, folder: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
