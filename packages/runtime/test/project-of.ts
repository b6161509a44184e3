import type { ProfileSettings } from '@virgule/core/protocol';
import { type ModuleExports } from '../src/load/import-file.js';
import { loadProject, type LoadResult } from '../src/load/load-project.js';
import type { Project } from '../src/load/project.js';
import { scan } from '../src/scan/scan.js';

/** Modules by path; an `Error` in place of one is thrown when it is imported. */
export type Modules = Readonly<Record<string, ModuleExports | Error>>;

/** Loads modules as if they were the files of a project. */
export async function loadModules(
  modules: Modules,
  sources: Readonly<Record<string, string>> = {},
  profile?: ProfileSettings,
): Promise<LoadResult> {
  return loadProject(scan(Object.keys(modules)).manifest, {
    importModule: async (file) => {
      const module = modules[file];
      if (module === undefined || module instanceof Error) throw module ?? new Error(file);
      return module;
    },
    readSource: (file) => sources[file],
    config: { profile },
  });
}

/** The project that the modules make; fails when any of them has a problem. */
export async function projectOf(modules: Modules, profile?: ProfileSettings): Promise<Project> {
  const { project, problems } = await loadModules(modules, {}, profile);
  if (problems[0]) throw problems[0];
  return project;
}
