import { closure, targetsOf, type ProjectModule } from './graph-module.js';

/**
 * Who imports what among the current modules, kept while they come and go: a change is looked up instead of being
 * searched for in every file of the project.
 */
export interface ImporterIndex {
  /** Notes all that a module imports by now. */
  add(module: ProjectModule): void;
  /** Forgets what was noted of a module. */
  remove(module: ProjectModule): void;
  /** Returns the files that import `file` themselves. */
  importersOf(file: string): Iterable<string>;
  /** Returns the files that reach one of `files`, directly or not, and `files` themselves. */
  dependantsOf(files: Iterable<string>): Set<string>;
  clear(): void;
}

export function createImporterIndex(): ImporterIndex {
  const importers = new Map<string, Set<string>>();
  const importersOf = (file: string): Iterable<string> => importers.get(file) ?? [];

  return {
    add(module) {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        if (known) known.add(module.file);
        else importers.set(target, new Set([module.file]));
      }
    },
    remove(module) {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        known?.delete(module.file);
        if (known?.size === 0) importers.delete(target);
      }
    },
    importersOf,
    dependantsOf: (files) => closure(files, importersOf),
    clear: () => importers.clear(),
  };
}
