import type { Redactor } from '@virgule/core/log';
import { secretsOf, type Env } from '@virgule/runtime/process';
import {
  configFileIn,
  listProjectFiles,
  loadConfig,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import { createLoader } from '../loader/create-loader.js';
import { presented, sourcesIn } from './open-project.js';
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
  await using loader = createLoader({ root });
  const file = configFileIn(await listProjectFiles(root));
  const { config, problems } = await loadConfig(file, sourcesIn(root, loader.importModule));
  redact.set(secretsOf(env, { config, problems }));
  if (problems.length > 0) throw new ProjectProblems(presented(problems, root, redact));
  return config;
}
