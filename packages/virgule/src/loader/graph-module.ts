import { isVirguleError } from '@virgule/core/errors';
import type { Resolution } from './create-resolver.js';
import type { ModuleShape } from './read-module.js';

/** Inputs of one run of a module. */
export interface ModuleScope {
  /** Returns the object that a static import reads from: the imported names of another module, or its namespace. */
  readonly requireView: (specifier: string, isWhole: boolean) => object;
  /** Receives the object whose properties are the live exports, before the module's own code runs. */
  readonly setExports: (exports: Record<string, unknown>) => void;
  readonly importDynamic: (specifier: unknown) => Promise<unknown>;
  readonly meta: () => object;
}

/** Compiled text of a file. The code can run many times; each run has its own state. */
export interface CompiledModule extends ModuleShape {
  readonly file: string;
  /** Source text that was compiled. */
  readonly text: string;
  /** True if the module has top-level await. */
  readonly async: boolean;
  readonly run: (scope: ModuleScope) => void | Promise<void>;
}

/** Namespace object, as `import()` returns it. */
export type Namespace = Record<string, unknown>;

/**
 * `compiled`: no one has requested a run. `waiting`: a run was requested. `running`: the code is on the stack, or
 * waits in a top-level await. `failed`: the module or one of its imports threw.
 */
type ModuleState = 'compiled' | 'waiting' | 'running' | 'done' | 'failed';

/** Instance of a file of the project. A reload creates a new instance and leaves the old one unchanged. */
export interface ProjectModule {
  readonly kind: 'module';
  readonly file: string;
  readonly compiled: CompiledModule;
  /** Resolutions of the static imports, by specifier. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
  /** Instances of the statically imported modules, by specifier. */
  readonly links: Map<string, GraphModule>;
  /** Files of the project that the module has imported by `import()`, by specifier. */
  readonly reached: Map<string, string>;
  state: ModuleState;
  /** Reason of the failure. */
  error: unknown;
  /** Settles when an asynchronous module has finished. */
  pending: Promise<void> | undefined;
  /** Object whose properties are the live values of the module's own exports. */
  exported: Readonly<Record<string, unknown>> | undefined;
  namespace: Namespace | undefined;
}

/** Module that Node.js imports: a package, a builtin, or a file that the graph cannot contain. */
export type Dependency = Extract<Resolution, { readonly kind: 'dependency' }> & {
  namespace: Namespace | undefined;
};

export type GraphModule = ProjectModule | Dependency;

/** Instances of the project's modules, by file. */
export type ModuleMap = Pick<ReadonlyMap<string, ProjectModule>, 'get' | 'has'>;

/** Yields the files that `module` imports or has reached, without the file of `module`. */
function* targetsOf(module: ProjectModule): Generator<string> {
  for (const link of module.links.values()) if (link.file !== undefined) yield link.file;
  yield* module.reached.values();
}

/** Returns `files` and the files that can be reached from them through `modules`. */
export function dependenciesOf(files: Iterable<string>, modules: ModuleMap): Set<string> {
  return closure(files, (file) => {
    const module = modules.get(file);
    return module ? targetsOf(module) : [];
  });
}

/** Returns `files` and all files that `next` reaches from them. */
function closure(files: Iterable<string>, next: (file: string) => Iterable<string>): Set<string> {
  const found = new Set(files);
  // Iterating a set includes the elements that are added during the iteration.
  for (const file of found) for (const target of next(file)) found.add(target);
  return found;
}

/** Returns the new modules that never ran or failed, and all new modules that need one of them. */
export function unusableOf(made: Iterable<ProjectModule>): ReadonlySet<ProjectModule> {
  const dropped = new Set<ProjectModule>();
  let before: number;
  do {
    before = dropped.size;
    for (const module of made) {
      const isUsable = module.state !== 'compiled' && module.state !== 'failed';
      if (dropped.has(module) || (isUsable && !needsAny(module, dropped))) continue;
      dropped.add(module);
    }
  } while (dropped.size > before);
  return dropped;
}

const needsAny = ({ links }: ProjectModule, modules: ReadonlySet<unknown>): boolean =>
  [...links.values()].some((link) => modules.has(link));

/** Reasons why files cannot be used, by file. */
export type Failures = ReadonlyMap<string, unknown>;

/** Returns the modules that failed by themselves, without the modules that only import a failed one. */
export function failedModules(modules: Iterable<ProjectModule>): Failures {
  const failed = new Set([...modules].filter(({ state }) => state === 'failed'));
  const causes = [...failed].filter((module) => !needsAny(module, failed));
  // In a cycle, every failed module imports another failed one.
  const reported = causes.length > 0 ? causes : [...failed];
  return new Map(reported.map(({ file, error }) => [file, error]));
}

/**
 * Returns the changed files that prevent the use of `file`: `file` itself, else the changed files that it reaches,
 * else the changed files that reach it. Never empty, so that a loop that leaves these files out terminates.
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

/** Files that did not settle. None runs again until it, or a file that it reaches, has changed. */
export class StuckFiles {
  readonly #files = new Map<string, { readonly error: Error; readonly reaches: Set<string> }>();

  /** Returns the error of a file that must not run again. */
  readonly errorOf = (file: string): Error | undefined => this.#files.get(file)?.error;

  /** Records the new modules that did not settle. @param modules - all modules, including the new ones. */
  record(made: Iterable<ProjectModule>, modules: ModuleMap): void {
    for (const { file, error } of made)
      if (isVirguleError(error, 'E_LOAD_STUCK'))
        this.#files.set(file, { error, reaches: dependenciesOf([file], modules) });
  }

  changed(files: readonly string[]): void {
    for (const [file, { reaches }] of this.#files)
      if (files.some((each) => reaches.has(each))) this.#files.delete(file);
  }
}

/** Current instances of the project's modules, by file, and the files that import each file: no change searches all. */
export class CurrentModules extends Map<string, ProjectModule> {
  readonly #importers = new Map<string, Set<string>>();

  override set(file: string, module: ProjectModule): this {
    this.delete(file);
    for (const target of targetsOf(module)) this.addImporter(target, file);
    return super.set(file, module);
  }

  override delete(file: string): boolean {
    const module = this.get(file);
    if (module) for (const target of targetsOf(module)) this.#importers.get(target)?.delete(file);
    return super.delete(file);
  }

  /** Records that the module of `importer` has a new import of `file`. */
  addImporter(file: string, importer: string): void {
    const known = this.#importers.get(file);
    if (known) known.add(importer);
    else this.#importers.set(file, new Set([importer]));
  }

  /** Returns `files` and the files that reach one of them, directly or indirectly. */
  dependantsOf(files: Iterable<string>): Set<string> {
    return closure(files, (file) => this.#importers.get(file) ?? []);
  }

  /** Replaces instances. Returns the replaced instances, and the removed ones, which no entry reaches any more. */
  replace(
    files: Iterable<string>,
    made: Iterable<ProjectModule>,
    entries: ReadonlySet<string>,
  ): ReadonlySet<ProjectModule> {
    const gone = new Set([...files].flatMap((file) => this.get(file) ?? []));
    for (const { file } of gone) this.delete(file);
    for (const module of made) this.set(module.file, module);
    const moved = [...made, ...gone];
    const candidates = new Set(moved.flatMap((module) => [module.file, ...targetsOf(module)]));
    const reached = new Set<string>();
    const isReached = (file: string): boolean => entries.has(file) || reached.has(file);
    // Iterating a set includes the elements that are added during the iteration.
    for (const file of candidates) {
      const module = this.get(file);
      if (!module || isReached(file) || this.#isBelow(file, isReached)) {
        reached.add(file);
        continue;
      }
      this.delete(file);
      gone.add(module);
      for (const target of targetsOf(module)) candidates.add(target);
    }
    return gone;
  }

  /** Returns whether a file that imports `file`, directly or not, meets a condition. */
  #isBelow(file: string, isMet: (importer: string) => boolean): boolean {
    const found = new Set([file]);
    for (const each of found)
      for (const importer of this.#importers.get(each) ?? []) {
        if (isMet(importer)) return true;
        found.add(importer);
      }
    return false;
  }
}
