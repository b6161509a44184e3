import type { SourceLocation } from '@virgule/core/errors';
import { init } from 'es-module-lexer';
import { namespaceOf } from './bindings.js';
import type { Resolution } from './create-resolver.js';
import { createEvaluate } from './evaluate.js';
import type { Namespace, ProjectModule } from './graph-module.js';
import { createLoaderParts, type LoaderOptions } from './loader-parts.js';
import { loaderErrors } from './loader-errors.js';
import { createModuleGraph, type ApplyResult } from './module-graph.js';
import { pathOf } from './project-paths.js';
import { mapStackTraces, thrownAt } from './stack-traces.js';

/** The modules of a project inside this process. They can be exchanged while the process runs. */
export type Loader = ReturnType<typeof createLoader>;

export function createLoader(options: LoaderOptions) {
  const parts = createLoaderParts(options);
  const { paths, failures, resolver, dependencies, clock, log } = parts;
  const stopMapping = mapStackTraces(parts.scripts);
  const graph = createModuleGraph(parts, createEvaluate(parts, importDynamic));
  let closed = false;

  async function importDynamic(importer: ProjectModule, specifier: string): Promise<Namespace> {
    const known = importer.reached.get(specifier);
    // While a change cannot be taken, the disk may lack what the graph still has.
    const found: Resolution =
      known !== undefined && graph.modules.has(known)
        ? { kind: 'module', file: known }
        : resolver.resolve(specifier, importer.file);
    if (found.kind === 'missing') throw failures.notFound(importer.compiled, specifier, found);
    if (found.kind === 'dependency') return dependencies.load(dependencies.get(found));
    // One spelling for each file: some make a new one for every call.
    const isReached = [...importer.reached.values()].includes(found.file);
    if (!isReached) importer.reached.set(specifier, found.file);
    return namespaceOf(await graph.obtainFor(importer, found.file));
  }

  /**
   * Imports a file of the project, by absolute path or file URL, and returns its namespace. A
   * file that is in the graph already is not read again; that is what `apply` is for.
   *
   * @throws VirguleError E_SYNTAX, E_LOAD_FAILED, E_LOAD_STUCK, E_MODULE_NOT_FOUND, E_EXPORT_MISSING or
   * E_TSCONFIG_INVALID, with `location`, and the lines around it in `details.frame`. A VirguleError
   * that the file itself throws keeps its code and gets the location.
   */
  async function importModule(file: string): Promise<Namespace> {
    const asked = pathOf(file);
    if (closed) throw loaderErrors.E_LOADER_CLOSED({ file: paths.display(asked) });
    // A thousand entries are imported again after each change: no look at the disk for those.
    if (graph.modules.has(asked)) return namespaceOf(await graph.obtain(asked, { entry: true }));
    await init();
    const found = resolver.locate(asked);
    if (found.kind === 'missing') throw failures.noFile(paths.canonical(asked));
    if (found.kind === 'dependency') return dependencies.load(dependencies.get(found));
    return namespaceOf(await graph.obtain(found.file, { entry: true }));
  }

  /**
   * Returns where in the sources an error was thrown, if its stack contains that. The path is relative to the root.
   */
  function placeOf(error: unknown): SourceLocation | undefined {
    const place = thrownAt(error);
    return place && { file: paths.display(place.file), line: place.line, column: place.column };
  }

  /** Waits for running calls, and removes everything. Namespaces that were returned keep working. */
  async function close(): Promise<void> {
    closed = true;
    await graph.close();
    stopMapping();
  }

  return {
    importModule,
    /**
     * Returns the namespace of a file that is in the graph and has run, and `undefined` for any other. Costs nothing. A
     * file that was evaluated again has another one.
     */
    current(file: string): Namespace | undefined {
      const module = graph.modules.get(file);
      return module?.state === 'done' ? namespaceOf(module) : undefined;
    },
    /** Returns the text from which a file of the graph was made; `undefined` for any other. */
    textOf: (file: string): string | undefined => graph.modules.get(file)?.compiled.text,
    /**
     * Takes files that were changed, added or deleted: compiles them, creates new instances of them and of everything
     * that imports them, and switches to all of these at once. Calls run one after the other. A file that fails keeps
     * its last working version: `failures` has the reasons, as the errors of `importModule`; everything else is
     * switched without it, and the next call tries it again. So does a file that only a new process can take, for
     * which `restart` has the reason.
     */
    async apply(changes: readonly string[]): Promise<ApplyResult> {
      const files = changes.map((file) => paths.canonical(file));
      const startMs = clock.monotonic();
      await init();
      const result = await graph.apply(files);
      const tookMs = clock.monotonic() - startMs;
      const { evaluated, restart } = result;
      log.debug({ files, evaluated: evaluated.length, restart, tookMs }, 'modules swapped');
      return result;
    },
    /** Returns the one path by which the graph knows a file, whatever links lead to it. */
    canonical: (file: string): string => paths.canonical(file),
    /** Returns every file of the project that is in the graph, failed to get there, or was required; absolute paths. */
    files(): readonly string[] {
      const required = dependencies.required().map((file) => paths.canonical(file));
      const files = new Set([...graph.modules.keys(), ...graph.failed, ...required]);
      for (const module of graph.modules.values()) {
        for (const link of module.links.values()) if (link.file !== undefined) files.add(link.file);
      }
      return [...files];
    },
    /** Returns the files that import `file`, directly or not, and `file` itself. */
    dependants: (file: string): readonly string[] => [...graph.dependantsOf(paths.canonical(file))],
    placeOf,
    close,
    [Symbol.asyncDispose]: close,
  };
}
