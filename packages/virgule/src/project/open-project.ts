import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirguleError } from '@virgule/core/errors';
import {
  listProjectFiles,
  loadProject,
  scan,
  type ImportModule,
  type Manifest,
  type Project,
} from '@virgule/runtime/project';

export interface OpenedProject {
  readonly manifest: Manifest;
  /** What is sound in the project's files. */
  readonly project: Project;
  /** Everything that is not, sorted by file. */
  readonly problems: readonly VirguleError[];
}

/** Reads a project from disk: which files there are, and what they export. */
export async function openProject(
  root: string,
  importModule: ImportModule,
): Promise<OpenedProject> {
  const { manifest, problems } = scan(await listProjectFiles(root));
  const loaded = await loadProject(manifest, {
    importModule: (file) => importModule(join(root, file)),
    readSource: (file) => readFileSync(join(root, file), 'utf8'),
  });
  return { manifest, project: loaded.project, problems: [...problems, ...loaded.problems] };
}
