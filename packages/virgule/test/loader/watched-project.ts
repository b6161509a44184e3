import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { watchProject, type ProjectWatcher, type WatchOptions } from '../../src/loader/watch.js';
import { createProjectFolder, type Files, type ProjectFolder } from './project-folder.js';

/** A project on disk that is watched, and the changes that were told, from its root. */
export interface WatchedProject extends ProjectFolder {
  readonly watcher: ProjectWatcher;
  readonly seen: string[];
}

export async function watched(
  files: Files,
  options: Partial<WatchOptions> = {},
): Promise<WatchedProject> {
  const project = createProjectFolder(files);
  const seen: string[] = [];
  const onChange = (paths: readonly string[]): void => {
    seen.push(...paths.map((file) => path.relative(project.root, file)));
  };
  const watcher = watchProject({ root: project.root, onChange, ...options });
  onTestFinished(() => watcher.close());
  await watcher.ready;
  return { ...project, watcher, seen };
}

/** Waits for what the system tells in its own time. */
export function until(check: () => unknown, intervalMs = 10): Promise<unknown> {
  return vi.waitFor(check, { timeout: 15_000, interval: intervalMs });
}
