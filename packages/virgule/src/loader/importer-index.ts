import { closure, targetsOf, type ProjectModule } from './graph-module.js';

/**
 * Who imports what among the current modules, kept while they come and go: a change is looked up instead of being
 * searched for in every file of the project.
 */
export type ImporterIndex = ReturnType<typeof createImporterIndex>;

export function createImporterIndex() {
  const importers = new Map<string, Set<string>>();
  const importersOf = (file: string): Iterable<string> => importers.get(file) ?? [];

  return {
    /** Notes all that a module imports by now. */
    add(module: ProjectModule): void {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        if (known) known.add(module.file);
        else importers.set(target, new Set([module.file]));
      }
    },
    /** Forgets what was noted of a module. */
    remove(module: ProjectModule): void {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        known?.delete(module.file);
        if (known?.size === 0) importers.delete(target);
      }
    },
    /** Returns the files that import `file` themselves. */
    importersOf,
    /** Returns the files that reach one of `files`, directly or not, and `files` themselves. */
    dependantsOf: (files: Iterable<string>): Set<string> => closure(files, importersOf),
    clear: (): void => importers.clear(),
  };
}
