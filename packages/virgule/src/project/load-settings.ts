import type { Redactor } from '@virgule/core/log';
import {
  secretsOf,
  type Env,
  configFileIn,
  listProjectFiles,
  loadConfig,
  type ImportModule,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import { sourcesIn } from './open-project.js';
import { presented } from './presented-problems.js';
import { ProjectProblems } from './project-problems.js';

export interface LoadSettingsOptions {
  readonly root: string;
  /** Environment, whose secrets the settings declare. */
  readonly env: Env;
  /** Receives the secrets of the environment. */
  readonly redact: Redactor;
}

/** Reads only the settings of a project. @throws ProjectProblems if they are invalid. */
export async function loadSettings(options: LoadSettingsOptions): Promise<ResolvedConfig> {
  const { root, env, redact } = options;
  const { config, problems } = await readSettings(root);
  redact.set(secretsOf(env, { config, problems }));
  if (problems.length > 0) throw new ProjectProblems(presented(problems, root, redact));
  return config;
}

/** Reads the valid settings of a project, and the problems of the others. */
export async function readSettings(root: string) {
  const file = configFileIn(await listProjectFiles(root));
  return loadConfig(file, sourcesIn(root, importOnce(root)));
}

/** Returns a function that imports one file, and then ends the loader and the process of its compiler. */
const importOnce =
  (root: string): ImportModule =>
  async (file) => {
    // Imported here: a project without a file of settings needs neither.
    const { createLoader } = await import('../loader/create-loader.js');
    const { stop } = await import('../loader/esbuild.js');
    try {
      await using loader = createLoader({ root });
      return await loader.importModule(file);
    } finally {
      await stop();
    }
  };
