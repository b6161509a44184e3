import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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
  const all = [...problems, ...loaded.problems];
  return { manifest, project: loaded.project, problems: all.sort(byPlace(root)) };
}

/** Problems without a place are about the project as a whole and come first. */
function byPlace(root: string) {
  // Some name their file from the root, some in full.
  const fileOf = ({ location }: VirguleError): string =>
    location ? relative(root, resolve(root, location.file)) : '';
  return (a: VirguleError, b: VirguleError): number => {
    const [one, other] = [fileOf(a), fileOf(b)];
    if (one !== other) return one < other ? -1 : 1;
    return (a.location?.line ?? 0) - (b.location?.line ?? 0);
  };
}
