import type { ModuleShape } from './read-module.js';
import type { FindSource } from './source-maps.js';

/** What a module is given to run with. */
export interface ModuleScope {
  /** The view of another module that a static import reads from. */
  readonly requireView: (specifier: string) => object;
  /** Receives the object whose properties are the live exports, before the module's own code runs. */
  readonly setExports: (exports: Record<string, unknown>) => void;
  readonly importDynamic: (specifier: unknown) => Promise<unknown>;
  readonly meta: object;
}

/** One text of a file, compiled. It can run many times; each run has its own state. */
export interface CompiledModule extends ModuleShape {
  readonly file: string;
  /** The text that was compiled. */
  readonly text: string;
  /** Whether it has top-level await. */
  readonly async: boolean;
  readonly run: (scope: ModuleScope) => void | Promise<void>;
  /** Finds places of the code that the requests were read from. */
  readonly findSource: FindSource;
}
