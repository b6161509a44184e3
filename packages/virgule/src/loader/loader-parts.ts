import { systemClock, type Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import type { EmittedFiles } from './compile-module.js';
import { createResolver } from './create-resolver.js';
import { Dependencies } from './dependencies.js';
import { createHotModules } from './evaluate.js';
import { LoadFailures } from './load-failure.js';
import { createProjectPaths } from './project-paths.js';
import { createScriptTable } from './stack-traces.js';
import { createTsconfigReader } from './tsconfig.js';

export interface LoaderOptions {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /**
   * Returns entry files that are created once. Neither these files nor their imports can be swapped: a change needs a
   * new process.
   *
   * @defaultValue none
   */
  readonly pinned?: () => readonly string[];
  readonly log?: Log;
  readonly clock?: Clock;
  /**
   * Provides `import.meta.hot` to modules, and logs effects that a replaced module has not ended. @defaultValue false
   */
  readonly hot?: boolean;
  /** Keeps the output of esbuild for other loaders of the same files. @defaultValue nothing is kept */
  readonly emittedFiles?: EmittedFiles;
}

/** Parts of one loader, without its modules. */
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
    /** Records the effects of modules; absent when modules have no `import.meta.hot`. */
    hotModules: hot ? createHotModules(log, paths) : undefined,
    clock,
    log,
    emittedFiles: options.emittedFiles,
    /** Returns the canonical paths of the files that cannot be swapped. */
    pinned: (): readonly string[] => pinned().map((file) => paths.canonical(file)),
  };
}
