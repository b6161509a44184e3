import type { Resolver } from './create-resolver.js';
import type { ModuleMap, ProjectModule } from './graph-module.js';
import type { ImporterIndex } from './importer-index.js';
import { isFile, readSource } from './read-source.js';

/** What a set of changed files does to the graph. */
export interface ChangePlan {
  /** Files in the graph with another text than before. */
  readonly changed: ReadonlySet<string>;
  /** Files in the graph that are gone. */
  readonly deleted: ReadonlySet<string>;
  /** Files with an import that may now mean another file. */
  readonly rerouted: ReadonlySet<string>;
  /** All of these and every file in the graph that reaches one of them. */
  readonly affected: ReadonlySet<string>;
}

/** Compares files with the graph. Reads those that are in it. */
export function planChanges(
  files: Iterable<string>,
  modules: ModuleMap,
  importers: ImporterIndex,
  resolver: Resolver,
): ChangePlan {
  const changed = new Set<string>();
  const deleted = new Set<string>();
  const appeared = new Set<string>();
  const others = new Set<string>();
  for (const file of files) {
    const module = modules.get(file);
    if (!module) {
      others.add(file);
      if (isFile(file)) appeared.add(file);
      continue;
    }
    const source = readSource(file);
    if (!source) deleted.add(file);
    else if (source.text !== module.compiled.text) changed.add(file);
  }
  const rerouted = new Set<string>();
  if (appeared.size > 0 || deleted.size > 0) {
    for (const module of modules.values())
      if (isRerouted(module, { appeared, deleted }, resolver)) rerouted.add(module.file);
  }
  const affected = new Set<string>();
  const touched = [...changed, ...deleted, ...rerouted, ...others];
  for (const file of importers.dependantsOf(touched)) {
    if (modules.has(file)) affected.add(file);
  }
  return { changed, deleted, rerouted, affected };
}

/** Returns whether an import of a module leads to a file that is gone, or to another one that was added. */
function isRerouted(
  { file: importer, resolutions, reached }: ProjectModule,
  { appeared, deleted }: { appeared: ReadonlySet<string>; deleted: ReadonlySet<string> },
  resolver: Resolver,
): boolean {
  const differs = (specifier: string, before: string | undefined): boolean => {
    if (before !== undefined && deleted.has(before)) return true;
    if (appeared.size === 0) return false;
    const found = resolver.resolve(specifier, importer);
    return found.kind === 'module' && found.file !== before && appeared.has(found.file);
  };
  return (
    [...resolutions].some(([specifier, found]) =>
      differs(specifier, found.kind === 'module' ? found.file : undefined),
    ) || [...reached].some(([specifier, file]) => differs(specifier, file))
  );
}
