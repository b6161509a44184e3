import path from 'node:path';
import { systemClock, type Clock } from '@virgule/core/clock';
import type { SourceLocation } from '@virgule/core/errors';
import { silentLog, type Log } from '@virgule/core/log';
import { init } from 'es-module-lexer';
import { namespaceOf } from './bindings.js';
import { emitAhead, type EmittedFiles } from './compile-module.js';
import { createResolver, type Resolution } from './create-resolver.js';
import { Dependencies } from './dependencies.js';
import { createEvaluate, createHotModules } from './evaluate.js';
import type { Namespace, ProjectModule } from './graph-module.js';
import { LoadFailures } from './load-failure.js';
import { createModuleGraph } from './module-graph.js';
import { runsOnce } from './plan-changes.js';
import { createProjectPaths, pathOf } from './project-paths.js';
import { readSource } from './read-source.js';
import { createScriptTable, thrownAt } from './stack-traces.js';
import { createTsconfigReader } from './tsconfig.js';

export interface LoaderOptions {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly log?: Log;
  readonly clock?: Clock;
  /** Provides `import.meta.hot`. @defaultValue false */
  readonly hot?: boolean;
  /** Reads the text of a file. @defaultValue from the disk, each time */
  readonly readSource?: typeof readSource;
  /** Keeps the output of esbuild for other loaders of the same files. @defaultValue nothing is kept */
  readonly emittedFiles?: EmittedFiles;
}

/** Parts of one loader, without its modules. */
export type LoaderParts = ReturnType<typeof createLoaderParts>;

function createLoaderParts(options: LoaderOptions) {
  const { log = silentLog, clock = systemClock, hot = false } = options;
  const paths = createProjectPaths(options.root);
  const read = options.readSource ?? readSource;
  const tsconfig = createTsconfigReader(paths, read);
  return {
    paths,
    readSource: read,
    scripts: createScriptTable(),
    failures: new LoadFailures(paths),
    tsconfig,
    resolver: createResolver(paths, tsconfig),
    dependencies: new Dependencies(),
    /** Folders of the files that were loaded so far, or failed to load. */
    folders: new Set<string>(),
    /** Absent when modules have no `import.meta.hot`. */
    hotModules: hot ? createHotModules(log, paths) : undefined,
    clock,
    log,
    emittedFiles: options.emittedFiles ?? new Map(),
    /** True if the output of a file stays after its use. */
    keepsEmitted: options.emittedFiles !== undefined,
    /** Imported files that, with their imports, only a new process can replace. */
    pinned: new Set<string>(),
  };
}

/** Modules of a project inside this process. They can be replaced while the process runs. */
export type Loader = ReturnType<typeof createLoader>;

export function createLoader(options: LoaderOptions) {
  const parts = createLoaderParts(options);
  const { paths, failures, resolver, dependencies } = parts;
  const graph = createModuleGraph(parts, createEvaluate(parts, importDynamic));

  async function importDynamic(importer: ProjectModule, specifier: string): Promise<Namespace> {
    const known = importer.reached.get(specifier);
    // While a change is rejected, the disk may lack a file that the graph still has.
    const found: Resolution =
      known !== undefined && graph.modules.has(known)
        ? { kind: 'module', file: known }
        : resolver.resolve(specifier, importer.file);
    if (found.kind === 'missing') throw failures.notFound(importer.compiled, specifier, found);
    if (found.kind === 'dependency') return dependencies.load(dependencies.get(found));
    return namespaceOf(await graph.obtainFor(importer, specifier, found.file));
  }

  /**
   * Imports a file of the project, by absolute path or file URL, and returns its namespace. A file that is already in
   * the graph is not read again; `apply` does that.
   * @throws VirguleError E_SYNTAX, E_LOAD_FAILED, E_LOAD_STUCK, E_MODULE_NOT_FOUND, E_EXPORT_MISSING or
   * E_TSCONFIG_INVALID, with `location`, and the lines around the place in `details.frame`. A VirguleError thrown by
   * the file itself keeps its code and gets the location.
   */
  async function importModule(file: string): Promise<Namespace> {
    const asked = pathOf(file);
    // After each change, a thousand entries are imported again: known entries need no disk access.
    if (graph.modules.has(asked)) return namespaceOf(await graph.obtain(asked, { entry: true }));
    await init();
    const found = resolver.locate(asked);
    if (found.kind === 'missing') throw failures.noFile(paths.canonical(asked));
    if (found.kind === 'dependency') return dependencies.load(dependencies.get(found));
    if (runsOnce(path.relative(paths.root, asked))) parts.pinned.add(found.file);
    return namespaceOf(await graph.obtain(found.file, { entry: true }));
  }

  /** Returns the place, relative to the root, where an error was thrown, if its stack contains that place. */
  function placeOf(error: unknown): SourceLocation | undefined {
    const place = thrownAt(error);
    return place && { file: paths.display(place.file), line: place.line, column: place.column };
  }

  /** Waits for running calls, and removes all modules. Namespaces returned earlier keep working. */
  async function close(): Promise<void> {
    await graph.close();
    parts.scripts.close();
  }

  return {
    importModule,
    /** Returns the current namespace of a file that has run, without disk access; `undefined` for any other file. */
    current(file: string): Namespace | undefined {
      const module = graph.modules.get(file);
      return module?.state === 'done' ? namespaceOf(module) : undefined;
    },
    /** Returns the text from which a file of the graph was compiled; `undefined` for any other file. */
    textOf: (file: string): string | undefined => graph.modules.get(file)?.compiled.text,
    /** Starts to compile a file of the graph whose text has changed, before `apply` is called. */
    compileAhead(file: string): void {
      const known = graph.modules.get(file);
      if (known) emitAhead(file, known.compiled.text, parts);
    },
    apply: graph.apply,
    /** Returns the single path by which the graph knows a file, regardless of links. */
    canonical: (file: string): string => paths.canonical(file),
    /** Returns the folders of all files of the project that were loaded so far, or failed to load. */
    folders(): readonly string[] {
      for (const file of dependencies.files(paths.isOwn))
        parts.folders.add(path.dirname(paths.canonical(file)));
      return [...parts.folders].toSorted();
    },
    /** Returns `file` itself and the files that import `file`, directly or indirectly. */
    dependants: (file: string) => graph.modules.dependantsOf([paths.canonical(file)]),
    placeOf,
    close,
    [Symbol.asyncDispose]: close,
  };
}
