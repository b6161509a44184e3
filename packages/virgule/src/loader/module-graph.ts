import { toError } from '@virgule/core/errors';
import { init } from 'es-module-lexer';
import { createCompiler } from './compile-module.js';
import { createDraft, type Draft, type DraftChanges } from './draft.js';
import type { Evaluate } from './evaluate.js';
import {
  dependenciesOf,
  CurrentModules,
  faultyFilesOf,
  failedModules,
  StuckFiles,
  unusableOf,
  type ProjectModule,
  type Failures,
} from './graph-module.js';
import { pinnedChange, planChanges, unsupportedFile, type ChangePlan } from './plan-changes.js';
import type { LoaderParts } from './create-loader.js';
import { createSerialQueue } from './serial-queue.js';

/** Outcome of a change. */
export interface ApplyResult {
  /** Absolute paths of the modules that were evaluated again, or for the first time. */
  readonly evaluated: readonly string[];
  /** Errors of the files that keep their last working version. The next change tries them again. */
  readonly failures: readonly unknown[];
  /** One line for people: the file that needs a new process, and the reason. The other files were applied. */
  readonly restart?: string | undefined;
}

/** Files that are loaded together: true for an entry file. */
type Wants = Map<string, boolean>;
/** Modules of loaded files, and the reasons why other files could not be loaded. */
type Outcomes = ReadonlyMap<string, ProjectModule | Error>;

/** Creates the graph of the current instances of the project's files, changed only through a draft. */
export function createModuleGraph(parts: LoaderParts, evaluate: Evaluate) {
  const { clock, dependencies, failures, hotModules, log, paths, pinned } = parts;
  const compile = createCompiler(parts);
  const enqueue = createSerialQueue();
  const modules = new CurrentModules();
  /** Entry files. Modules that no entry reaches are dropped. */
  const entries = new Set<string>();
  /** Changed files that could not be applied yet, and whether the graph lacked the file. */
  const unsettled = new Map<string, boolean>();
  const stuck = new StuckFiles();
  let draft: Draft | undefined;
  let batch: { readonly wants: Wants; readonly loaded: Promise<Outcomes> } | undefined;

  function openDraft(changes: Omit<DraftChanges, 'current' | 'stuck'>): Draft {
    draft = createDraft(parts, compile, { ...changes, current: modules, stuck });
    return draft;
  }

  /** Loads a file in a draft, and runs it there. Resolves to `undefined` when the draft was closed before the run. */
  async function runIn(into: Draft, file: string): Promise<ProjectModule | undefined> {
    await into.load([file]);
    const failure = into.failureOf(file);
    if (failure) throw failure;
    const module = draft === into ? into.modules.get(file) : undefined;
    if (module) await evaluate(module);
    return module;
  }

  /** Runs all files in a draft, regardless of failures, and returns the files that could not run. */
  async function evaluateAll(files: readonly string[], into: Draft): Promise<Failures> {
    for (const file of files) {
      const module = into.modules.get(file);
      // A failed module has the error.
      if (module) await evaluate(module).catch(() => {});
    }
    return failedModules(into.made());
  }

  /** Makes the usable and reached modules of a draft the current ones. @param affected - files that it has not kept. */
  function switchTo(done: Draft, affected: Iterable<string>): void {
    draft = undefined;
    const unusable = unusableOf(done.made());
    const usable = done.made().filter((module) => !unusable.has(module));
    const replaced = modules.replace(affected, usable, entries);
    for (const module of [...replaced, ...unusable]) hotModules?.dispose(module);
  }

  /** Loads all files that were requested since the last batch. Each file has its own outcome. */
  async function loadBatch(wants: Wants): Promise<Outcomes> {
    batch = undefined;
    const next = openDraft({});
    await next.load(wants.keys());
    const outcomes = new Map<string, ProjectModule | Error>();
    for (const [file, isEntry] of wants) {
      const outcome = await runIn(next, file).catch(toError);
      if (outcome) outcomes.set(file, outcome);
      if (isEntry && !(outcome instanceof Error)) entries.add(file);
    }
    stuck.record(next.made(), next.modules);
    switchTo(next, []);
    return outcomes;
  }

  async function obtain(file: string, { entry }: { readonly entry: boolean }) {
    const known = modules.get(file);
    if (known?.state === 'done') {
      if (entry) entries.add(file);
      return known;
    }
    if (!batch) {
      const wants: Wants = new Map();
      batch = { wants, loaded: enqueue(() => loadBatch(wants)) };
    }
    const { wants, loaded } = batch;
    wants.set(file, entry || wants.get(file) === true);
    const outcome = (await loaded).get(file) ?? failures.noFile(file);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** Leaves out changes that fail or need a new process, until the remaining changes can be applied. */
  async function applyNow(files: readonly string[]): Promise<ApplyResult> {
    await init();
    const startMs = clock.monotonic();
    for (const file of files) unsettled.set(file, unsettled.get(file) ?? !modules.has(file));
    stuck.changed(files);
    const held = new Set<string>();
    let restart: string | undefined;
    const native = new Set(dependencies.files(paths.isOwn).map((each) => paths.canonical(each)));
    for (const file of unsettled.keys()) {
      const reason = unsupportedFile(file, paths, modules, native);
      if (reason === undefined) continue;
      restart ??= reason;
      held.add(file);
    }
    const reported = new Map<string, unknown>();
    for (;;) {
      const changes = [...unsettled].filter(([file]) => !held.has(file));
      const taken = changes.map(([file]) => file);
      const plan = planChanges(changes, modules, parts.resolver);
      const touched = [...plan.changed.keys(), ...plan.deleted, ...plan.rerouted];
      const change = pinnedChange(touched, pinned, modules, paths);
      if (change) {
        restart ??= change.reason;
        // An import that resolves to a different file does so because a file was added or deleted.
        const causes = taken.includes(change.file)
          ? [change.file]
          : taken.filter((file) => plan.appeared.has(file) || !plan.changed.has(file));
        for (const file of causes) held.add(file);
        continue;
      }
      const result = await swap(plan, taken);
      if (result.evaluated) {
        for (const file of taken) unsettled.delete(file);
        const { evaluated } = result;
        const tookMs = clock.monotonic() - startMs;
        log.debug({ files, evaluated: evaluated.length, restart, tookMs }, 'modules swapped');
        return { evaluated, failures: [...new Set(reported.values())], restart };
      }
      for (const [file, error] of result.failures)
        if (!reported.has(file)) reported.set(file, error);
      for (const file of result.faultyFiles) held.add(file);
    }
  }

  /** Creates the affected modules again, and returns the files that ran; switches nothing if a file fails. */
  async function swap(
    { affected, changed, deleted, rerouted }: ChangePlan,
    taken: readonly string[],
  ) {
    if (affected.size === 0) return { evaluated: [] };
    const isStill = (file: string): boolean => affected.has(file) && !deleted.has(file);
    const next = openDraft({ affected, changed, rerouted });
    let wanted = [...affected].filter((file) => entries.has(file) && isStill(file));
    const all = [...wanted];
    while (wanted.length > 0) {
      await next.load(wanted);
      // Modules reached by import() are updated too, so that their errors appear now.
      const reached = next.made().flatMap((module) => [...module.reached.values()]);
      wanted = [...new Set(reached)].filter((file) => isStill(file) && !next.wasLoaded(file));
      all.push(...wanted);
    }
    const failures = next.errors.size > 0 ? next.errors : await evaluateAll(all, next);
    if (failures.size > 0) {
      /** Returns the previous and the new imports of a file. */
      const reachedFrom = (file: string): string[] => [
        ...next.importsOf(file),
        ...[modules, next.modules].flatMap((graph) => [...dependenciesOf([file], graph)]),
      ];
      const faultyFiles = [...failures.keys()].flatMap((file) =>
        faultyFilesOf(file, taken, reachedFrom),
      );
      stuck.record(next.made(), next.modules);
      draft = undefined;
      // These modules ran, but are discarded.
      for (const module of next.made()) hotModules?.dispose(module);
      return { failures, faultyFiles };
    }
    for (const file of deleted) entries.delete(file);
    switchTo(next, affected);
    const ran = next.made().filter((module) => modules.get(module.file) === module);
    return { evaluated: ran.map(({ file }) => file) };
  }

  return {
    modules: modules as Pick<CurrentModules, 'get' | 'has' | 'dependantsOf'>,
    /** Returns the module of a canonical path, loaded and run. An entry is kept even if no module imports it. */
    obtain,
    /** Returns a module for an `import()` in the code of `importer`. */
    async obtainFor(importer: ProjectModule, specifier: string, file: string) {
      // Keeps one specifier for each file: a bot can import one file under a new specifier in every call.
      const isReached = [...importer.reached.values()].includes(file);
      if (!isReached) importer.reached.set(specifier, file);
      if (modules.get(importer.file) === importer) modules.addImporter(file, importer.file);
      const into = draft;
      // The draft waits for code that runs in it, so that code cannot wait in the queue.
      if (into?.modules.get(importer.file) === importer) {
        const module = await runIn(into, file);
        if (module) return module;
      }
      return obtain(file, { entry: false });
    },
    /**
     * Applies files that were changed, added or deleted. Compiles these files, creates new instances of them and of
     * all their importers, and switches to all new instances at once. Calls run one after the other.
     *
     * A file that fails keeps its last working version. `failures` contains the reasons, as the errors of
     * `importModule`. All other files are switched, and the next call tries the failed file again, unless it did not
     * settle. A file that only a new process can take is treated in the same way; `restart` contains the reason.
     */
    apply: (files: readonly string[]): Promise<ApplyResult> =>
      enqueue(() => applyNow(files.map((file) => paths.canonical(file)))),
    /** Waits for running work, and removes all modules. */
    async close(): Promise<void> {
      await enqueue(async () => {
        modules.clear();
        entries.clear();
        unsettled.clear();
      });
    },
  };
}
