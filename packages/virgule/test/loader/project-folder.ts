import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createLoader, type Loader, type LoaderOptions } from '../../src/loader/create-loader.js';

/** A project on disk that lasts for one test. */
export interface ProjectFolder {
  readonly root: string;
  /** The absolute path of a file of the project. */
  path(file: string): string;
  /** Writes a file and returns its absolute path. */
  write(file: string, text: string): string;
  remove(file: string): string;
}

export type Files = Readonly<Record<string, string>>;

export function createProjectFolder(files: Files = {}): ProjectFolder {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'virgule-loader-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project: ProjectFolder = {
    root,
    path: (file) => path.join(root, file),
    write(file, text) {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
      return target;
    },
    remove(file) {
      const target = path.join(root, file);
      rmSync(target, { recursive: true });
      return target;
    },
  };
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project;
}

export interface LoadedProject extends ProjectFolder {
  readonly loader: Loader;
  /** Imports a file of the project. */
  load(file: string): Promise<Record<string, unknown>>;
  /**
   * Writes files, applies them, and returns which modules ran, relative to the project. Throws what could
   * not be taken.
   */
  edit(files: Files): Promise<string[]>;
}

const PACKAGE_JSON = '{ "name": "bot", "type": "module" }';

/** A project with a loader on it; the loader is closed when the test ends. */
export function createLoadedProject(
  files: Files,
  options: Partial<LoaderOptions> = {},
): LoadedProject {
  const project = createProjectFolder({ 'package.json': PACKAGE_JSON, ...files });
  const loader = createLoader({ root: project.root, ...options });
  onTestFinished(() => loader.close());
  return {
    ...project,
    loader,
    load: (file) => loader.importModule(project.path(file)),
    async edit(changes) {
      const paths = Object.entries(changes).map(([file, text]) => project.write(file, text));
      const result = await taken(loader.apply(paths));
      return result.evaluated.map((file) => path.relative(project.root, file)).toSorted();
    },
  };
}

/** The result of a change that was taken in full; throws why it was not. */
export async function taken(applying: ReturnType<Loader['apply']>): ReturnType<Loader['apply']> {
  const result = await applying;
  if (result.restart !== undefined) throw new Error(`needs a new process: ${result.restart}`);
  for (const failure of result.failures) throw failure;
  return result;
}
