import path from 'node:path';
import { toError } from '@virgule/core/errors';
import type { CompiledModule, ModuleMap, ProjectModule, StuckFiles } from './graph-module.js';
import type { Compiler } from './compile-module.js';
import type { Resolution, Resolver } from './create-resolver.js';
import { missingExportOf } from './evaluate.js';
import type { LoaderParts } from './create-loader.js';

/** Initial state of a draft. */
export interface DraftChanges {
  readonly current: ModuleMap;
  /** Files whose current instances new instances may replace. All other instances stay. @defaultValue none */
  readonly affected?: ReadonlySet<string>;
  /** New texts of files. All other affected files are not compiled again: only their state is created again. */
  readonly changed?: ReadonlyMap<string, string>;
  /** Files with an import that may resolve to a different file now. */
  readonly rerouted?: ReadonlySet<string>;
  /** Files that fail without a run. */
  readonly stuck: Pick<StuckFiles, 'errorOf'>;
}

/** Next state of the graph, not visible until the graph switches to it: kept modules and new instances. */
export type Draft = ReturnType<typeof createDraft>;

export function createDraft(
  { resolver, dependencies, failures, folders }: LoaderParts,
  compile: Compiler,
  { current, affected, changed, rerouted, stuck }: DraftChanges,
) {
  const made = new Map<string, ProjectModule>();
  const get = (file: string): ProjectModule | undefined =>
    made.get(file) ?? (affected?.has(file) ? undefined : current.get(file));
  const modules: ModuleMap = { get, has: (file) => get(file) !== undefined };
  const started = new Map<string, Promise<void>>();
  const imports = new Map<string, readonly string[]>();
  const errors = new Map<string, Error>();
  const unlinked = new Set<ProjectModule>();

  function start(file: string): void {
    if (started.has(file) || modules.has(file)) return;
    // Deferred to a microtask: the file must be recorded as started before its imports start.
    const adding = Promise.resolve().then(() => add(file));
    const settled = adding.catch((error: unknown) => void errors.set(file, toError(error)));
    started.set(file, settled);
  }

  async function add(file: string): Promise<void> {
    folders.add(path.dirname(file));
    const error = stuck.errorOf(file);
    if (error) throw error;
    const old = current.get(file);
    const text = changed?.get(file);
    const compiled = old && text === undefined ? old.compiled : await compile(file, text);
    const known = rerouted?.has(file) ? undefined : old?.resolutions;
    const resolve = (specifier: string): Resolution =>
      known?.get(specifier) ?? resolver.resolve(specifier, file);
    const isSame = known && compiled === old?.compiled;
    const resolutions = isSame
      ? known
      : new Map(compiled.requests.map(({ specifier }) => [specifier, resolve(specifier)]));
    const targets = [...resolutions.values()].flatMap((found) =>
      found.kind === 'module' ? [found.file] : [],
    );
    imports.set(file, targets);
    for (const target of targets) start(target);
    for (const [specifier, resolution] of resolutions)
      if (resolution.kind === 'missing') throw failures.notFound(compiled, specifier, resolution);
    const module: ProjectModule = {
      kind: 'module',
      file,
      compiled,
      resolutions,
      links: new Map(),
      reached: stillReached(old, compiled, resolver),
      state: 'compiled',
      error: undefined,
      pending: undefined,
      exported: undefined,
      namespace: undefined,
    };
    unlinked.add(module);
    made.set(file, module);
  }

  function link(module: ProjectModule): void {
    for (const [specifier, resolution] of module.resolutions) {
      if (resolution.kind === 'dependency')
        module.links.set(specifier, dependencies.get(resolution));
      if (resolution.kind !== 'module') continue;
      const target = modules.get(resolution.file);
      if (target) module.links.set(specifier, target);
    }
  }

  return {
    modules,
    /** Returns the modules that were created in this draft. */
    made: (): readonly ProjectModule[] => [...made.values()],
    /** Files that fail by themselves, with their errors. */
    errors,
    /** Returns whether `load` has reached the file. */
    wasLoaded: (file: string): boolean => started.has(file) || modules.has(file),
    /** Returns the imports of a loaded file, even if the file cannot be used. */
    importsOf: (file: string): readonly string[] => imports.get(file) ?? [],
    /** Compiles files with all their imports, and links the modules. */
    async load(files: Iterable<string>): Promise<void> {
      const wanted = new Set(files);
      for (const file of wanted) start(file);
      // Iterating a set includes the elements that are added during the iteration.
      for (const file of wanted) {
        await started.get(file);
        for (const target of imports.get(file) ?? []) wanted.add(target);
      }
      const ready = [...unlinked].filter((module) => wanted.has(module.file));
      for (const module of ready) {
        unlinked.delete(module);
        link(module);
      }
      for (const module of ready) {
        const missing = missingExportOf(module, failures);
        if (missing) errors.set(module.file, missing);
      }
    },
    /** Returns the reason why a file cannot run: its own error, or the first error among its imports. */
    failureOf(file: string): Error | undefined {
      const seen = new Set([file]);
      for (const each of seen) {
        if (errors.has(each)) return errors.get(each);
        for (const target of imports.get(each) ?? []) seen.add(target);
      }
      return undefined;
    },
  };
}

/** Returns the files that the previous instance reached by `import()` and the new source may still reach. */
function stillReached(
  old: ProjectModule | undefined,
  { file, dynamic }: CompiledModule,
  resolver: Resolver,
): Map<string, string> {
  const reached = new Map<string, string>();
  for (const specifier of old?.reached.keys() ?? []) {
    // A specifier that is not a plain string can refer to any file.
    if (!dynamic.some((each) => (each ?? specifier) === specifier)) continue;
    const resolution = resolver.resolve(specifier, file);
    if (resolution.kind === 'module') reached.set(specifier, resolution.file);
  }
  return reached;
}
