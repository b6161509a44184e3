import type { Log } from '@virgule/core/log';
import type { Hot } from '../hot.js';
import type { ProjectModule } from './graph-module.js';
import type { ProjectPaths } from './project-paths.js';

interface Effects {
  readonly timers: number;
  readonly listeners: number;
}

/** Records the effects of modules besides their exports, which must end when a new version replaces a module. */
export function createHotModules(log: Log, paths: ProjectPaths) {
  const callbacks = new WeakMap<ProjectModule, (() => unknown)[]>();
  const effects = new WeakMap<ProjectModule, Effects>();
  const reported = new Set<string>();
  /** Effects of modules that ran inside the module that is running now. */
  let inner: Effects = NO_EFFECTS;

  /** Calls a function, and returns `false` when the result is a promise. */
  function call(file: string, callback: () => unknown): boolean {
    const failed = (error: unknown): void =>
      log.warn({ err: error }, `cannot dispose ${paths.display(file)}`);
    try {
      const result = callback();
      if (!(result instanceof Promise)) return true;
      result.catch(failed);
      return false;
    } catch (error) {
      failed(error);
      return true;
    }
  }

  return {
    /** Returns `import.meta.hot` of a module. */
    hotOf: (module: ProjectModule): Hot => ({
      dispose(callback) {
        const known = callbacks.get(module);
        if (known) known.push(callback);
        else callbacks.set(module, [callback]);
      },
    }),
    /** Runs the code of a module, and records the effects that it starts. */
    record<Result>(module: ProjectModule, run: () => Result): Result {
      const [before, outer] = [effectsOfProcess(), inner];
      inner = NO_EFFECTS;
      try {
        return run();
      } finally {
        const all = minus(effectsOfProcess(), before);
        effects.set(module, minus(all, inner));
        inner = minus(outer, minus(NO_EFFECTS, all));
      }
    },
    /**
     * Calls the callbacks that a module registered with `dispose`, and reports effects that have not ended, once per
     * file.
     */
    dispose(module: ProjectModule): void {
      const { file } = module;
      const own = callbacks.get(module) ?? [];
      callbacks.delete(module);
      const started = effects.get(module) ?? NO_EFFECTS;
      const mayLeave = started.timers > 0 || started.listeners > 0;
      const before = mayLeave ? effectsOfProcess() : NO_EFFECTS;
      const hasEnded = own.map((callback) => call(file, callback)).every(Boolean);
      // Other code may start or end timers before an asynchronous callback settles, so nothing can be compared.
      if (!mayLeave || !hasEnded) return;
      const ended = minus(before, effectsOfProcess());
      const { timers, listeners } = minus(started, ended);
      if ((timers <= 0 && listeners <= 0) || reported.has(file)) return;
      reported.add(file);
      const what = timers > 0 ? 'a timer running' : 'a listener of `process`';
      const shown = paths.display(file);
      log.warn(
        { file: shown },
        `${shown} was reloaded and left ${what}: remove it with import.meta.hot?.dispose()`,
      );
    },
  };
}

const NO_EFFECTS: Effects = { timers: 0, listeners: 0 };

const minus = (a: Effects, b: Effects): Effects => ({
  timers: a.timers - b.timers,
  listeners: a.listeners - b.listeners,
});

const effectsOfProcess = (): Effects => ({
  timers: process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length,
  listeners: process
    .eventNames()
    .reduce((sum, event) => sum + process.listenerCount(event as string), 0),
});
