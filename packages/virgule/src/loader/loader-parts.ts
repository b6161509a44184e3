import { systemClock, type Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import type { EmittedFiles } from './compile-module.js';
import { createResolver } from './create-resolver.js';
import { Dependencies } from './dependencies.js';
import { createHotModules } from './hot-modules.js';
import { LoadFailures } from './load-failure.js';
import { createProjectPaths } from './project-paths.js';
import { createScriptTable } from './stack-traces.js';
import { createTsconfigReader } from './tsconfig.js';

export interface LoaderOptions {
  /** The project's folder, absolute. */
  readonly root: string;
  /**
   * Entry files that are created once and cannot be swapped, nor anything they import: a change
   * needs a new process.
   *
   * @defaultValue none
   */
  readonly pinned?: () => readonly string[];
  readonly log?: Log;
  readonly clock?: Clock;
  /** Whether modules have `import.meta.hot`, and what they leave behind is logged. @defaultValue false */
  readonly hot?: boolean;
  /** Keeps what esbuild wrote, for other loaders of the same files. @defaultValue nothing is kept */
  readonly emittedFiles?: EmittedFiles;
}

/** What one loader consists of, apart from its modules. */
export type LoaderParts = ReturnType<typeof createLoaderParts>;

export function createLoaderParts(options: LoaderOptions) {
  const { pinned = () => [], log = silentLog, clock = systemClock, hot = false } = options;
  const paths = createProjectPaths(options.root);
  const scripts = createScriptTable();
  const tsconfig = createTsconfigReader(paths);
  return {
    paths,
    scripts,
    failures: new LoadFailures(paths, scripts),
    tsconfig,
    resolver: createResolver(paths, tsconfig),
    dependencies: new Dependencies(),
    /** Records what modules start; absent where modules have no `import.meta.hot`. */
    hotModules: hot ? createHotModules(log, paths) : undefined,
    clock,
    log,
    emittedFiles: options.emittedFiles,
    /** Returns the canonical paths of the files that cannot be swapped. */
    pinned: (): readonly string[] => pinned().map((file) => paths.canonical(file)),
  };
}
