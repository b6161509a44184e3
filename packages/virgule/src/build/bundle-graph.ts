import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import type { InstalledPackage, InstalledPackages } from './installed-package.js';

export interface BundledFile {
  /** Path relative to the project's root, as in the metadata of the bundler. */
  readonly path: string;
  readonly absolute: string;
  /** Package of the file; `undefined` for a file of the project or of a linked package. */
  readonly owner: InstalledPackage | undefined;
  /** True for a file of the project, or of a package that is linked into the project. */
  readonly isOwn: boolean;
  /** True if a part of the file is in the output. */
  readonly isUsed: boolean;
  readonly importedBy: Set<BundledFile>;
}

export type BundleGraph = ReturnType<typeof readBundleGraph>;

export function readBundleGraph(
  root: string,
  packages: InstalledPackages,
  metafiles: readonly Metafile[],
) {
  const files = new Map<string, BundledFile>();
  const inputsInOutput = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs));
  const used = new Set(
    inputsInOutput.filter(([, input]) => input.bytesInOutput > 0).map(([path]) => pathOf(path)),
  );
  const fileAt = (key: string): BundledFile => {
    const path = pathOf(key);
    const known = files.get(path);
    if (known) return known;
    const absolute = resolve(root, path);
    const isFile = !isVirtual(path);
    const file: BundledFile = {
      path,
      absolute,
      owner: isFile ? packages.ownerOf(absolute) : undefined,
      isOwn: isFile && packages.isOwn(absolute),
      isUsed: used.has(path),
      importedBy: new Set(),
    };
    files.set(path, file);
    return file;
  };
  for (const { inputs } of metafiles) {
    for (const [path, { imports }] of Object.entries(inputs)) {
      const file = fileAt(path);
      for (const { path: imported, external } of imports)
        if (!external) fileAt(imported).importedBy.add(file);
    }
  }

  return {
    files: files as ReadonlyMap<string, BundledFile>,
    /**
     * Returns the nearest importers of a file, direct or indirect, for which `isEnd` returns `true`; the file itself
     * if `isEnd` returns `true` for it.
     */
    behind(start: BundledFile, isEnd: (file: BundledFile) => boolean): readonly BundledFile[] {
      const ends: BundledFile[] = [];
      const seen = new Set([start]);
      // Iterating a set includes the elements that are added during the iteration.
      for (const file of seen) {
        if (isEnd(file)) ends.push(file);
        else for (const importer of file.importedBy) seen.add(importer);
      }
      return ends;
    },
    /** Returns the packages with a part in the output, sorted by folder. */
    packages(): readonly InstalledPackage[] {
      const owners = [...files.values()].flatMap(({ owner, isUsed }) =>
        owner && isUsed ? [owner] : [],
      );
      return [...new Set(owners)].toSorted((left, right) => (left.folder < right.folder ? -1 : 1));
    },
  };
}

/**
 * Returns the path in a key of the bundler's metadata, which also contains the attributes and the query of an import.
 */
const pathOf = (key: string): string => key.replace(/(?:\?[^/]*?)?(?: with \{.*\})?$/, '');

/** Returns whether a path belongs to a generated module: such a path has a namespace, or a name that no file has. */
const isVirtual = (path: string): boolean => /^<|^[\w-]{2,}:/.test(path) || path === ENTRY;

/** Name of the program that imports all files of the project. */
export const ENTRY = 'bot.mjs';
