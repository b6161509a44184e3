import path from 'node:path';
import { isConfigFile, isServicesFile } from '@virgule/runtime/project';
import { dependenciesOf, type ModuleMap } from './graph-module.js';
import type { ImporterIndex } from './importer-index.js';
import type { ProjectPaths } from './project-paths.js';

/**
 * Returns why a change of `file` needs a new process whatever is in it, as one line for people; `undefined`
 * when the graph may be able to take it.
 */
export function unsupportedFile(
  file: string,
  paths: ProjectPaths,
  modules: ModuleMap,
  importers: ImporterIndex,
): string | undefined {
  const shown = paths.display(file);
  if (!paths.isOwn(file)) return `${shown} belongs to a dependency`;
  const why = whyRestart(path.relative(paths.root, file));
  if (why !== undefined) return `${shown} ${why}`;
  for (const importer of importers.importersOf(file)) {
    for (const link of modules.get(importer)?.links.values() ?? []) {
      if (link.kind === 'dependency' && link.file === file)
        return `${shown} is loaded by Node.js itself`;
    }
  }
  return undefined;
}

/**
 * Returns why a file that shapes the process needs a new one, as the end of a sentence about it.
 *
 * @param file - from the project's root
 */
function whyRestart(file: string): string | undefined {
  const name = path.basename(file);
  if (name === 'package.json') return 'affects how imports are resolved';
  if (name.startsWith('tsconfig') && name.endsWith('.json'))
    return 'affects how files are compiled';
  if (isConfigFile(file) || file.startsWith('.env')) return 'is read only at startup';
  return isServicesFile(file) ? 'runs only at startup' : undefined;
}

/** Returns why a change reaches a file that cannot be swapped: `pinned` ones and all they import. */
export function pinnedChange(
  touched: Iterable<string>,
  pinned: readonly string[],
  modules: ModuleMap,
  paths: ProjectPaths,
): string | undefined {
  for (const entry of pinned) {
    const tree = dependenciesOf([entry], modules);
    for (const file of touched) {
      if (file === entry) return `${paths.display(file)} runs only at startup`;
      if (tree.has(file))
        return `${paths.display(file)} is used by ${paths.display(entry)}, which runs only at startup`;
    }
  }
  return undefined;
}
