import type { CompiledModule } from './compiled-module.js';
import type { Resolution } from './create-resolver.js';

/** A namespace, as `import()` returns it. */
export type Namespace = Record<string, unknown>;

/**
 * `compiled`: nothing asked to run it. `waiting`: something did. `running`: its code is on the
 * stack, or waits in a top-level await. `failed`: it threw, or something it needs did.
 */
type ModuleState = 'compiled' | 'waiting' | 'running' | 'done' | 'failed';

/** One instance of a file of the project. A reload creates a new one and keeps the old one. */
export interface ProjectModule {
  readonly kind: 'module';
  readonly file: string;
  readonly compiled: CompiledModule;
  /** What its static imports mean. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
  /** The instances its static imports lead to. */
  readonly links: Map<string, GraphModule>;
  /** The files of the project that it has imported by `import()`, by what they were called. */
  readonly reached: Map<string, string>;
  state: ModuleState;
  /** Why it failed. */
  error: unknown;
  /** Settles when an asynchronous module is through. */
  pending: Promise<void> | undefined;
  /** Properties are the live values of its own exports. */
  exported: Readonly<Record<string, unknown>> | undefined;
  namespace: Namespace | undefined;
}

/** Something that Node.js imports: a package, a builtin, or a file the graph cannot hold. */
export interface Dependency {
  readonly kind: 'dependency';
  readonly specifier: string;
  readonly folder: string;
  /** Set when it is a file of the project. */
  readonly file: string | undefined;
  namespace: Namespace | undefined;
}

export type GraphModule = ProjectModule | Dependency;

/** Files of the project and their current instances. */
export type ModuleMap = ReadonlyMap<string, ProjectModule>;

/** Returns the files that `module` needs or has reached, itself left out. */
export function* targetsOf(module: ProjectModule): Generator<string> {
  for (const link of module.links.values()) if (link.file !== undefined) yield link.file;
  yield* module.reached.values();
}

/** Returns the files that can be reached from `files` through `modules`, and `files` themselves. */
export function dependenciesOf(files: Iterable<string>, modules: ModuleMap): Set<string> {
  return closure(files, (file) => {
    const module = modules.get(file);
    return module ? targetsOf(module) : [];
  });
}

/** Returns all that `next` leads to from `files`, and `files` themselves. */
export function closure(
  files: Iterable<string>,
  next: (file: string) => Iterable<string>,
): Set<string> {
  const found = new Set(files);
  // A set hands out what is added while it is walked.
  for (const file of found) for (const target of next(file)) found.add(target);
  return found;
}
