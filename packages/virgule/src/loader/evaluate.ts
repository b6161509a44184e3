import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '@virgule/core/log';
import type { Hot } from '../hot.js';
import { importedFrom, lacksExport, namespaceOf } from './bindings.js';
import { isNotFoundByProject } from './dependencies.js';
import type { Dependency, GraphModule, ProjectModule } from './graph-module.js';
import type { LoaderParts } from './create-loader.js';
import type { LoadFailures } from './load-failure.js';
import { beginStep, STUCK_MS, unlessStuck } from './loading-steps.js';
import type { ProjectPaths } from './project-paths.js';
import { runWithin } from './run-within.js';

/**
 * Runs a module after its imports, each once, in the order of ES modules: depth first, a cycle from its entry module.
 */
export type Evaluate = (module: ProjectModule) => Promise<void>;

/** @param importDynamic - Implementation of `import()` in a module. */
export function createEvaluate(
  { dependencies, failures, resolver, clock, hotModules }: LoaderParts,
  importDynamic: (module: ProjectModule, specifier: string) => Promise<unknown>,
): Evaluate {
  /** Modules that must not run inside another module. */
  const separate = new WeakSet<ProjectModule>();

  /** Creates `import.meta` of a module, with the values of its source file. */
  const metaOf = (module: ProjectModule): object => ({
    // As in Node.js, without a prototype.
    __proto__: null,
    dirname: path.dirname(module.file),
    filename: module.file,
    url: pathToFileURL(module.file).href,
    resolve: (specifier: unknown) => resolver.toUrl(String(specifier), module.file),
    ...(hotModules && { hot: hotModules.hotOf(module) }),
  });

  /** Runs the code of a module. A required module that has not run yet runs inside. */
  function run(module: ProjectModule): void {
    module.state = 'running';
    const end = beginStep({ file: module.file });
    try {
      const missing = missingExportOf(module, failures);
      if (missing) throw missing;
      const code = () =>
        module.compiled.run({
          requireView: (specifier, isWhole) => requireView(module, specifier, isWhole),
          setExports: (exports) => void (module.exported = exports),
          importDynamic: (specifier) => importDynamic(module, String(specifier)),
          meta: () => metaOf(module),
        });
      // In `virgule dev`, which reloads modules, the parent process watches this one.
      const result = hotModules
        ? code()
        : runWithin(STUCK_MS, code, () => failures.stuck(module.compiled, true));
      if (!result) return void (module.state = 'done');
      const stuck = (): unknown => failures.stuck(module.compiled, false);
      module.pending = unlessStuck(result, { file: module.file }, { clock, stuck }).then(
        () => void (module.state = 'done'),
        fail,
      );
    } catch (error) {
      end(true);
      fail(error);
    } finally {
      end();
    }

    function fail(error: unknown): never {
      module.state = 'failed';
      module.error = failures.threw(module.compiled, error);
      throw module.error;
    }
  }

  function requireView(module: ProjectModule, specifier: string, isWhole: boolean): object {
    const target = module.links.get(specifier);
    if (!target) throw failures.notFound(module.compiled, specifier);
    if (target.kind === 'module') {
      if (target.state === 'failed') throw target.error;
      if (isReady(target) && !separate.has(target)) run(target);
    }
    return isWhole ? namespaceOf(target) : importedFrom(target);
  }

  async function importDependency(link: Dependency, importer: ProjectModule, specifier: string) {
    const end = beginStep({ file: importer.file, imports: link.specifier });
    try {
      await dependencies.load(link);
    } catch (error) {
      importer.state = 'failed';
      importer.error = isNotFoundByProject(error)
        ? failures.notFound(importer.compiled, specifier)
        : failures.dependency(importer.compiled, specifier, error);
      throw importer.error;
    } finally {
      end();
    }
  }

  /** Runs a single module, or a whole cycle, whose entry module is the last one. */
  async function runComponent(component: readonly ProjectModule[]): Promise<void> {
    // Waits for modules that another call started.
    for (const link of component.flatMap(({ links }) => [...links.values()]))
      if (link.kind === 'module' && link.state === 'running' && !component.includes(link))
        await link.pending;
    // The entry module of a cycle runs the other modules at the point where it requires them, so that its functions
    // can be called by then. An asynchronous module cannot run inside another module.
    const oneByOne = component.some((module) => module.compiled.async);
    if (oneByOne) for (const module of component) separate.add(module);
    try {
      for (const module of oneByOne ? component : component.toReversed()) {
        if (isReady(module)) run(module);
        await module.pending;
      }
    } catch (error) {
      // One failed module makes the whole cycle unusable.
      for (const module of component) {
        module.error ??= error;
        module.state = 'failed';
      }
      throw error;
    }
  }

  return async (root) => {
    // A changed file may have a hundred importers, whose other imports have run.
    if (isReady(root) && [...root.links.values()].every(hasRun)) return runComponent([root]);
    /** Modules to run; each is visited before it runs. */
    const modules = new Set([root]);
    // Iterating a set includes the elements that are added during the iteration.
    for (const { links } of modules)
      for (const link of links.values())
        if (link.kind === 'module' && isReady(link)) modules.add(link);
    for (const module of modules) if (module.state === 'compiled') module.state = 'waiting';
    const positions = new Map<ProjectModule, number>();
    /** Visited modules whose cycle is not complete yet. */
    const open: ProjectModule[] = [];

    /**
     * Visits the imports of a module, depth first, and runs the modules of each strongly connected component (Tarjan).
     * Resolves to the lowest position of an incomplete module that is reachable.
     */
    async function visit(module: ProjectModule): Promise<number> {
      const [position, openBefore] = [positions.size, open.length];
      positions.set(module, position);
      let low = position;
      for (const [specifier, link] of module.links) {
        if (link.kind === 'module' && isReady(link))
          low = Math.min(low, positions.get(link) ?? (await visit(link)));
        if (link.kind === 'dependency' && !link.namespace)
          await importDependency(link, module, specifier);
      }
      open.push(module);
      if (low === position) await runComponent(open.splice(openBefore));
      return low;
    }

    // An earlier import() may have started the module, which may wait in a top-level await.
    if (root.state === 'running') await root.pending;
    try {
      if (isReady(root)) await visit(root);
    } finally {
      for (const module of modules) if (module.state === 'waiting') module.state = 'compiled';
    }
    if (root.state === 'failed') throw root.error;
  };
}

/** Returns the error for the first imported name that the other module is known not to export. */
export function missingExportOf(module: ProjectModule, failures: LoadFailures): Error | undefined {
  for (const { specifier, names } of module.compiled.requests) {
    const target = module.links.get(specifier);
    for (const name of target ? names : [])
      if (target && lacksExport(target, name) && mayBeMissing(module, specifier, name))
        return failures.exportMissing(module.compiled, { specifier, name, target });
  }
  return undefined;
}

/** Returns whether a name is imported, and is no type: TypeScript re-exports types without the keyword `type`. */
function mayBeMissing({ file, compiled }: ProjectModule, specifier: string, name: string): boolean {
  // In the output of esbuild, a string such as 'import_users.csv' looks like the read of an import.
  const texts = [...compiled.text.matchAll(/import_[\w$]*\.([\w$]+)/g)];
  if (texts.some(([, read]) => read === name)) return false;
  if (!/\.[mc]?tsx?$/.test(file)) return true;
  return ![...compiled.reexports.values()].some(
    (found) => found.specifier === specifier && found.imported === name,
  );
}

const isReady = ({ state }: ProjectModule): boolean => state === 'compiled' || state === 'waiting';

const hasRun = (link: GraphModule): boolean =>
  link.kind === 'module' ? link.state === 'done' : link.namespace !== undefined;

/** Calls what modules registered with `import.meta.hot`, when a new version replaces them. */
export function createHotModules(log: Log, paths: ProjectPaths) {
  const callbacks = new WeakMap<ProjectModule, (() => unknown)[]>();
  return {
    /** Returns `import.meta.hot` of a module. */
    hotOf: (module: ProjectModule): Hot => ({
      dispose(callback) {
        callbacks.set(module, [...(callbacks.get(module) ?? []), callback]);
      },
    }),
    /** Calls the callbacks of `dispose` of a module, once. */
    dispose(module: ProjectModule): void {
      const own = callbacks.get(module) ?? [];
      callbacks.delete(module);
      for (const callback of own) {
        // Started at once, and rejects if the callback throws or rejects.
        new Promise((resolve) => resolve(callback())).catch((error: unknown) =>
          log.warn({ err: error }, `cannot dispose ${paths.display(module.file)}`),
        );
      }
    },
  };
}
