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
  /** Whether it is a file of the project, or of a package that is linked into it. */
  readonly isOwn: boolean;
  /** Whether something of it is in the output. */
  readonly isUsed: boolean;
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
      for (const { path: imported, external } of imports) {
        if (!external) fileAt(imported).importedBy.add(file);
      }
    }
  }

  return {
    files: files as ReadonlyMap<string, BundledFile>,
    /**
     * Returns the nearest files that import a file, directly or not, and for which `isEnd` returns `true`; itself if it is
     * one.
     */
    behind(start: BundledFile, isEnd: (file: BundledFile) => boolean): readonly BundledFile[] {
      const ends: BundledFile[] = [];
      const seen = new Set([start]);
      // The loop also visits the files that it adds.
      for (const file of seen) {
        if (isEnd(file)) ends.push(file);
        else for (const importer of file.importedBy) seen.add(importer);
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

/** Returns the path in a key of the bundler, which also has the attributes and the query of an import. */
const pathOf = (key: string): string => key.replace(/(?:\?[^/]*?)?(?: with \{.*\})?$/, '');

/** Modules that the bundler or the build makes up have a namespace, or a name that no file has. */
const isVirtual = (path: string): boolean => /^<|^[\w-]{2,}:/.test(path) || path === ENTRY;

/** Name of the program that imports all files of the project. */
export const ENTRY = 'bot.mjs';
