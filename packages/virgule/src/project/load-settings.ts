import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  configFileIn,
  listProjectFiles,
  loadConfig,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import { createLoader } from '../loader/create-loader.js';
import { presented } from './open-project.js';
import { ProjectProblems } from './project-problems.js';

/**
 * Reads the settings of a project and nothing else of it.
 *
 * @throws ProjectProblems when they are not sound.
 */
export async function loadSettings(root: string): Promise<ResolvedConfig> {
  await using loader = createLoader({ root });
  const { config, problems } = await loadConfig(configFileIn(await listProjectFiles(root)), {
    importModule: (file) => loader.importModule(join(root, file)),
    readSource: (file) => readFileSync(join(root, file), 'utf8'),
  });
  if (problems.length > 0) throw new ProjectProblems(presented(problems, root));
  return config;
}
