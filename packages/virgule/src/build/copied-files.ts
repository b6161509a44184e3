import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
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
 * Lists the files to copy: `assets/`, and the given files and folders with all contents. Links are followed as long
 * as their targets are in the project, or in the given folder. Hidden files, packages and earlier builds are not
 * listed, regardless of the path by which they are reached.
 *
 * @param reached - absolute paths.
 */
export async function listCopied(root: string, reached: Iterable<string>) {
  const realRoot = await realpath(root);
  /** Files and folders to copy; each folder precedes its contents. */
  const entries = new Map<string, CopiedFile>();
  /** Files that are not copied, with their reasons: `data/keys (a link out of the project)`. */
  const refused = new Set<string>();

  /** @param parents - real paths of the folders around `from`, beginning with the given folder. */
  async function list(from: string, parents: readonly string[] = []): Promise<CopiedFile[]> {
    const place = inDist(root, from);
    const refuse = (reason: string): CopiedFile[] => {
      refused.add(`${place} (${reason})`);
      return [];
    };
    const real = await realpath(from).catch(() => undefined);
    // Without parents, the path is the `assets/` of a project without that folder.
    if (real === undefined) return parents.length > 0 ? refuse('a link to nothing') : [];
    if (parents.includes(real) || isInside(realRoot, real))
      return refuse('a link to a folder around it');
    const bases = [realRoot, ...parents.slice(0, 1)].filter((base) => isInside(real, base));
    // Only the project's own `dist` is a build.
    const placeIn = (base: string): string =>
      `${base === realRoot ? '' : './'}${relative(base, real).split(sep).join('/')}`;
    // A path that is named in the code may be anywhere.
    if (bases.length === 0 && parents.length > 0) return refuse('a link out of the project');
    if (!bases.every((base) => isCopied(placeIn(base))))
      return refuse('a link to a hidden file, a package or a build');
    const kind = await stat(real);
    if (!kind.isFile() && !kind.isDirectory()) return refuse('neither a file nor a folder');
    const found = [{ from: real, place, isFolder: kind.isDirectory() }];
    for (const name of kind.isFile() ? [] : (await readdir(real)).toSorted())
      if (isCopied(`${place}/${name}`))
        found.push(...(await list(join(from, name), [...parents, real])));
    return found;
  }

  for (const path of [join(root, ASSETS), ...reached])
    for (const entry of await list(path)) entries.set(entry.place, entry);
  return {
    entries: [...entries.values()].toSorted((left, right) => (left.place < right.place ? -1 : 1)),
    refused: [...refused].toSorted(),
  };
}

/** Returns whether a path is a folder, or inside the folder. */
export const isInside = (path: string, folder: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
