import type { Dependency } from './graph-module.js';
import type { ImportDependency, Namespace } from './import-dependency.js';

/** The dependencies that were asked for, each once. They are never reloaded. */
export interface DependencyTable {
  get(key: Pick<Dependency, 'specifier' | 'folder'> & { readonly file?: string }): Dependency;
  /** Imports a dependency, or returns the imported one. A failed one is tried again. */
  load(dependency: Dependency): Promise<Namespace>;
}

export function createDependencyTable(importDependency: ImportDependency): DependencyTable {
  const known = new Map<string, Dependency>();
  return {
    get({ specifier, folder, file }) {
      // The same name can mean different packages in different folders.
      const key = file ?? `${folder}\n${specifier}`;
      const dependency = known.get(key) ?? {
        kind: 'dependency',
        specifier,
        folder,
        file,
        namespace: undefined,
      };
      known.set(key, dependency);
      return dependency;
    },
    async load(dependency) {
      dependency.namespace ??= await importDependency(dependency.specifier, dependency.folder);
      return dependency.namespace;
    },
  };
}
