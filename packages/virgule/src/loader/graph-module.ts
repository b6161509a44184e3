import type { Resolution } from './create-resolver.js';
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

/** Takes out what did not come to run, and every module of a cycle that needs it. */
export function dropUnusable(modules: Map<string, ProjectModule>): Iterable<ProjectModule> {
  const dropped = new Set<ProjectModule>();
  let before: number;
  do {
    before = dropped.size;
    for (const module of modules.values()) {
      const isUsable = module.state !== 'compiled' && module.state !== 'failed';
      if (isUsable && (dropped.size === 0 || !needsAny(module, dropped))) continue;
      dropped.add(module);
      modules.delete(module.file);
    }
  } while (dropped.size > before);
  return dropped;
}

const needsAny = ({ links }: ProjectModule, modules: ReadonlySet<unknown>): boolean =>
  [...links.values()].some((link) => modules.has(link));

/** Takes out what no entry leads to. */
export function dropUnreached(
  entries: Iterable<string>,
  modules: Map<string, ProjectModule>,
): ProjectModule[] {
  const reached = dependenciesOf(entries, modules);
  const dropped = [...modules.values()].filter(({ file }) => !reached.has(file));
  for (const { file } of dropped) modules.delete(file);
  return dropped;
}

/** Why files could not be used, by file. */
export type Failures = ReadonlyMap<string, unknown>;

/** Returns the modules that failed by themselves; those that only need one of them are left out. */
export function failedModules(modules: ModuleMap): Failures {
  const failed = [...modules.values()].filter(({ state }) => state === 'failed');
  const causes = failed.filter((module) => !needsFailed(module));
  // In a cycle each one needs another that failed.
  const reported = causes.length > 0 ? causes : failed;
  return new Map(reported.map(({ file, error }) => [file, error]));
}

const needsFailed = ({ links }: ProjectModule): boolean =>
  [...links.values()].some((link) => link.kind === 'module' && link.state === 'failed');

/**
 * Returns which of the changed files keep `file` from being used: itself, else those that it reaches, else those that
 * reach it. Never empty, so that leaving them out terminates.
 */
export function faultyFilesOf(
  file: string,
  taken: readonly string[],
  targetsOf: (file: string) => Iterable<string>,
): readonly string[] {
  if (taken.includes(file)) return [file];
  const below = closure([file], targetsOf);
  const reached = taken.filter((each) => below.has(each));
  if (reached.length > 0) return reached;
  const reaching = taken.filter((each) => closure([each], targetsOf).has(file));
  return reaching.length > 0 ? reaching : taken;
}

/**
 * Who imports what among the current modules, kept while they come and go: a change is looked up instead of being
 * searched for in every file of the project.
 */
export type ImporterIndex = ReturnType<typeof createImporterIndex>;

export function createImporterIndex() {
  const importers = new Map<string, Set<string>>();
  const importersOf = (file: string): Iterable<string> => importers.get(file) ?? [];

  return {
    /** Notes all that a module imports by now. */
    add(module: ProjectModule): void {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        if (known) known.add(module.file);
        else importers.set(target, new Set([module.file]));
      }
    },
    /** Forgets what was noted of a module. */
    remove(module: ProjectModule): void {
      for (const target of targetsOf(module)) {
        const known = importers.get(target);
        known?.delete(module.file);
        if (known?.size === 0) importers.delete(target);
      }
    },
    /** Returns the files that import `file` themselves. */
    importersOf,
    /** Returns the files that reach one of `files`, directly or not, and `files` themselves. */
    dependantsOf: (files: Iterable<string>): Set<string> => closure(files, importersOf),
    clear: (): void => importers.clear(),
  };
}
