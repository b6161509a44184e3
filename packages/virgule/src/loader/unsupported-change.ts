import path from 'node:path';
import { dependenciesOf, type ModuleMap } from './graph-module.js';
import type { ImporterIndex } from './importer-index.js';
import type { ProjectPaths } from './project-paths.js';

/**
 * Why a change of `file` needs a new process whatever is in it, as one line for people;
 * `undefined` when the graph may be able to take it.
 */
export function unsupportedFile(
  file: string,
  paths: ProjectPaths,
  modules: ModuleMap,
  importers: ImporterIndex,
): string | undefined {
  const shown = paths.display(file);
  if (!paths.isOwn(file)) return `${shown} belongs to a dependency`;
  const name = path.basename(file);
  const folder = path.dirname(file);
  if (name === 'package.json') return `${shown} decides how files are found`;
  if (name.startsWith('tsconfig') && name.endsWith('.json'))
    return `${shown} decides how files are read`;
  if (folder === paths.root && name.startsWith('.env')) return `${shown} is read at the start`;
  if (folder === paths.root && isSource(name, 'virgule.config'))
    return `${shown} is read at the start`;
  const isTop = folder === paths.root || folder === path.join(paths.root, 'src');
  if (isTop && isSource(name, 'services')) return `${shown} is created once`;
  for (const importer of importers.importersOf(file)) {
    for (const link of modules.get(importer)?.links.values() ?? []) {
      if (link.kind === 'dependency' && link.file === file)
        return `${shown} is loaded by Node.js itself`;
    }
  }
  return undefined;
}

/** Whether a file is `stem` as code: not its tests, and not its types only. */
function isSource(name: string, stem: string): boolean {
  return name.startsWith(`${stem}.`) && /^[mc]?[jt]sx?$/.test(name.slice(stem.length + 1));
}

/** Why a change reaches a file that cannot be swapped: `pinned` ones and all they import. */
export function pinnedChange(
  touched: Iterable<string>,
  pinned: readonly string[],
  modules: ModuleMap,
  paths: ProjectPaths,
): string | undefined {
  for (const entry of pinned) {
    const tree = dependenciesOf([entry], modules);
    for (const file of touched) {
      if (file === entry) return `${paths.display(file)} is created once`;
      if (tree.has(file))
        return `${paths.display(file)} is used by ${paths.display(entry)}, which is created once`;
    }
  }
  return undefined;
}
