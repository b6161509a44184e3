import { closure, type ModuleMap, type ProjectModule } from './graph-module.js';

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
