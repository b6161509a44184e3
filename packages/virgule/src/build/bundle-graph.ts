import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import type { InstalledPackage, InstalledPackages } from './installed-package.js';

/** A file in a bundle. */
export interface BundledFile {
  /** From the project's root, as the bundler names it. */
  readonly path: string;
  readonly absolute: string;
  /** The package it belongs to; `undefined` for a file of the project or of a linked package. */
  readonly owner: InstalledPackage | undefined;
  readonly isOfFramework: boolean;
  /** Whether something of it is in the output. */
  isUsed: boolean;
  readonly imports: Set<BundledFile>;
  readonly importedBy: Set<BundledFile>;
}

/** The files of a bundle and what they import. */
export type BundleGraph = ReturnType<typeof readBundleGraph>;

/** Reads what the bundler says about one or more bundles of a project. */
export function readBundleGraph(
  root: string,
  packages: InstalledPackages,
  metafiles: readonly Metafile[],
) {
  const files = new Map<string, BundledFile>();
  const used = new Set(
    metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
          bytesInOutput > 0 ? [pathOf(path)] : [],
        ),
      ),
    ),
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
      isOfFramework: isFile && packages.isOfFramework(absolute),
      isUsed: used.has(path),
      imports: new Set(),
      importedBy: new Set(),
    };
    files.set(path, file);
    return file;
  };
  for (const { inputs } of metafiles) {
    for (const [path, { imports }] of Object.entries(inputs)) {
      const file = fileAt(path);
      for (const { path: imported, external } of imports) {
        if (external) continue;
        file.imports.add(fileAt(imported));
        fileAt(imported).importedBy.add(file);
      }
    }
  }

  return {
    files: files as ReadonlyMap<string, BundledFile>,
    /**
     * Returns the files that are there because of the project, not because of the framework.
     *
     * @param isLast - whether the imports of a file do not count.
     */
    reachedByProject(isLast = (_file: BundledFile): boolean => false): ReadonlySet<BundledFile> {
      const reached = new Set([...files.values()].filter(isOwn));
      // The loop also visits the files that it adds.
      for (const file of reached)
        for (const imported of isLast(file) ? [] : file.imports)
          if (!imported.isOfFramework) reached.add(imported);
      return reached;
    },
    /**
     * Returns the nearest files that import a file, directly or not, and for which `isEnd` returns `true`; itself if it is
     * one. Other ways end at a file for which it returns `undefined`.
     */
    behind(
      start: BundledFile,
      isEnd: (file: BundledFile) => boolean | undefined,
    ): readonly BundledFile[] {
      const ends: BundledFile[] = [];
      const seen = new Set([start]);
      // The loop also visits the files that it adds.
      for (const file of seen) {
        const found = isEnd(file);
        if (found) ends.push(file);
        else if (found === false) for (const importer of file.importedBy) seen.add(importer);
      }
      return ends;
    },
    /** Returns the packages that something of is in the output, sorted by folder. */
    packages(): readonly InstalledPackage[] {
      const owners = [...files.values()].flatMap(({ owner, isUsed }) =>
        owner && isUsed ? [owner] : [],
      );
      return [...new Set(owners)].toSorted((left, right) => (left.folder < right.folder ? -1 : 1));
    },
  };
}

/** Returns whether a file is the project's own, or of a package that is linked into it. */
export const isOwn = ({ path, owner, isOfFramework }: BundledFile): boolean =>
  !owner && !isOfFramework && !isVirtual(path);

/** Returns the path in a key of the bundler, which also has the attributes and the query of an import. */
const pathOf = (key: string): string => key.replace(/(?:\?[^/]*?)?(?: with \{.*\})?$/, '');

/** Modules that the bundler or the build makes up have a namespace, or a name that no file has. */
const isVirtual = (path: string): boolean => /^<|^[\w-]{2,}:/.test(path) || path === ENTRY;

/** Name of the program that imports all files of the project. */
export const ENTRY = 'bot.mjs';
