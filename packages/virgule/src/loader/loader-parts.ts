import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { EmittedFiles } from './compile-module.js';
import type { Resolver } from './create-resolver.js';
import type { Dependencies } from './dependencies.js';
import type { HotModules } from './hot-modules.js';
import type { LoadFailures } from './load-failure.js';
import type { ProjectPaths } from './project-paths.js';
import type { ScriptTable } from './stack-traces.js';
import type { TsconfigReader } from './tsconfig.js';

/** What one loader consists of, apart from its modules. */
export interface LoaderParts {
  readonly paths: ProjectPaths;
  readonly scripts: ScriptTable;
  readonly failures: LoadFailures;
  readonly tsconfig: TsconfigReader;
  readonly resolver: Resolver;
  readonly dependencies: Dependencies;
  /** Records what modules start; absent where modules have no `import.meta.hot`. */
  readonly hotModules: HotModules | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Shared by loaders of the same files. */
  readonly emittedFiles: EmittedFiles | undefined;
  /** Canonical paths of the files that cannot be swapped. */
  readonly pinned: () => readonly string[];
}
