import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import type { Dependency, Namespace } from './graph-module.js';
import { isOurPackage, isSharedPackage } from './packages.js';

type NativeImport = (specifier: string) => Promise<Namespace>;

/** Name of a virtual file in each folder, used as the importer. The file never exists. */
const PLACEHOLDER = 'virgule-imports.cjs';

/** Files that Node.js loaded as CommonJS or as JSON for CommonJS, by path. */
const loadedByNode = createRequire(import.meta.url).cache;

/** Modules that Node.js imports for the project, each once. These modules are never reloaded. */
export class Dependencies {
  /** Paths that Node.js had loaded before the project. */
  readonly #before = new Set(Object.keys(loadedByNode));
  readonly #known = new Map<string, Dependency>();
  /** Files of the project that were imported, even if their code threw. */
  readonly #imported = new Set<string>();

  get(found: Omit<Dependency, 'namespace'>): Dependency {
    // The same name can mean different packages in different folders.
    const key = found.file ?? `${found.folder}\n${found.specifier}`;
    const dependency = this.#known.get(key) ?? { ...found, namespace: undefined };
    this.#known.set(key, dependency);
    return dependency;
  }

  /** Returns the paths of the project's files that Node.js has loaded so far: none is a module of the graph. */
  files(isOwn: (file: string) => boolean): readonly string[] {
    const required = Object.keys(loadedByNode).filter((file) => !this.#before.has(file));
    return [...required.filter(isOwn), ...this.#imported];
  }

  /** Imports a dependency, or returns the namespace of an earlier import. A failed import is tried again. */
  async load(dependency: Dependency): Promise<Namespace> {
    if (dependency.file !== undefined) this.#imported.add(dependency.file);
    dependency.namespace ??= await this.import(dependency.specifier, dependency.folder);
    return dependency.namespace;
  }

  /** Imports a module through Node.js itself, as a file in `folder` would. */
  async import(specifier: string, folder: string): Promise<Namespace> {
    const there = nativeImportOf(folder);
    if (!isSharedPackage(specifier)) return there(specifier);
    // Packages of the framework come from the running copy first. So does zod, if the project has the same.
    const here: NativeImport = async (name) =>
      name === 'virgule' ? import('../index.js') : import(/* @vite-ignore */ name);
    const isHere = isOurPackage(specifier) || isSameFile(specifier, folder);
    const [first, second] = isHere ? [here, there] : [there, here];
    try {
      return await first(specifier);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The error of the import from the project names no file of ours.
      return second(specifier).catch((other) => Promise.reject(second === there ? other : error));
    }
  }
}

/** Returns whether an import from a folder resolves to the same file as from this package. */
function isSameFile(specifier: string, folder: string): boolean {
  const [ours, theirs] = [import.meta.url, path.join(folder, PLACEHOLDER)].map((from) =>
    orUndefined(() => createRequire(from).resolve(specifier)),
  );
  return ours !== undefined && ours === theirs;
}

/** Returns whether an import failed because the package, or the entry of the package, does not exist. */
function isNotFound(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
}

/** Returns whether a file of the project, not a package that lacks a dependency, imported the missing module. */
export const isNotFoundByProject = (error: unknown): boolean =>
  isNotFound(error) && error instanceof Error && error.message.includes(PLACEHOLDER);

/** Returns `import()` for a folder, from a file in memory: Node.js resolves from the file that contains the code. */
function nativeImportOf(folder: string): NativeImport {
  const file = path.join(folder, PLACEHOLDER);
  const module = new Module(file);
  module.filename = file;
  const code = 'module.exports = (specifier) => import(specifier);';
  // Node.js and every transpiling hook use `_compile`; the types of Node.js omit it.
  (module as Module & { _compile(code: string, file: string): void })._compile(code, file);
  return module.exports as NativeImport;
}
