import path from 'node:path';
import { isConfigFile, isServicesFile } from '@virgule/runtime/project';
import type { Resolver } from './create-resolver.js';
import {
  dependenciesOf,
  type CurrentModules,
  type ModuleMap,
  type ProjectModule,
} from './graph-module.js';
import { isAssetFile, type ProjectPaths } from './project-paths.js';
import { isFile, readSource } from './read-source.js';

/** Effect of a set of changed files on the graph. */
export type ChangePlan = ReturnType<typeof planChanges>;

/**
 * Compares files with the graph, and reads the files that are in the graph.
 * @param files - changed files, and whether the graph lacked the file when its change was reported.
 */
export function planChanges(
  files: Iterable<readonly [string, boolean]>,
  modules: CurrentModules,
  resolver: Resolver,
) {
  /** New texts of the files in the graph whose text has changed. */
  const changed = new Map<string, string>();
  /** Files in the graph that were deleted. */
  const deleted = new Set<string>();
  /** Files to which an import of any file may lead now. */
  const appeared = new Set<string>();
  const others = new Set<string>();
  for (const [file, isNew] of files) {
    const module = modules.get(file);
    if (!module) {
      others.add(file);
      if (isFile(file)) appeared.add(file);
      continue;
    }
    const text = readSource(file);
    if (text === undefined) deleted.add(file);
    else if (text !== module.compiled.text) changed.set(file, text);
    // One importer may have loaded the new file before its change was reported, or a link may lead to the file now.
    if (isNew || text === module.compiled.text) appeared.add(file);
  }
  /** Files with an import that may resolve to a different file now. */
  const rerouted = new Set<string>();
  if (appeared.size > 0 || deleted.size > 0)
    for (const module of modules.values())
      if (isRerouted(module, { appeared, deleted }, resolver)) rerouted.add(module.file);
  const touched = [...changed.keys(), ...deleted, ...rerouted, ...others];
  /** All changed files and every file in the graph that reaches one of them. */
  const affected = [...modules.dependantsOf(touched)].filter((file) => modules.has(file));
  return { changed, deleted, appeared, rerouted, affected: new Set(affected) };
}

/** Returns whether an import of a module leads to a deleted file, or to a different file that was added. */
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

/**
 * Returns the reason why any change of `file` needs a new process, for people; `undefined` if the graph may apply it.
 * @param native - files that Node.js has loaded.
 */
export function unsupportedFile(
  file: string,
  paths: ProjectPaths,
  modules: ModuleMap,
  native: ReadonlySet<string>,
): string | undefined {
  const shown = paths.display(file);
  if (!paths.isOwn(file)) return `${shown} belongs to a dependency`;
  const relative = path.relative(paths.root, file);
  const why = whyRestart(relative);
  if (why !== undefined) return `${shown} ${why}`;
  if (isAssetFile(relative) && !modules.has(file)) return `${shown} may be read only at startup`;
  return native.has(file) ? `${shown} is loaded by Node.js itself` : undefined;
}

/** Returns the reason as the end of a sentence. @param file - path relative to the project's root. */
function whyRestart(file: string): string | undefined {
  const name = path.basename(file);
  if (name === 'package.json') return 'affects how imports are resolved';
  if (name.startsWith('tsconfig') && name.endsWith('.json'))
    return 'affects how files are compiled';
  if (isConfigFile(file) || file.startsWith('.env')) return 'is read only at startup';
  return isServicesFile(file) ? 'runs only at startup' : undefined;
}

/** Returns whether a file runs only at the start of a process. @param file - path relative to the project's root. */
export const runsOnce = (file: string): boolean => isConfigFile(file) || isServicesFile(file);

/** Returns the first changed file that `pinned`, or an import of `pinned`, contains, and the reason. */
export function pinnedChange(
  touched: Iterable<string>,
  pinned: Iterable<string>,
  modules: ModuleMap,
  paths: ProjectPaths,
): { readonly file: string; readonly reason: string } | undefined {
  for (const entry of pinned) {
    const tree = dependenciesOf([entry], modules);
    for (const file of touched) {
      if (!tree.has(file)) continue;
      const by = file === entry ? '' : ` is used by ${paths.display(entry)}, which`;
      return { file, reason: `${paths.display(file)}${by} runs only at startup` };
    }
  }
  return undefined;
}
