import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { systemClock } from '@virgule/core/clock';
import { watchProject, type WatchOptions } from '../../src/loader/watch/watch-project.js';
import { createProjectFolder, type Files, type ProjectFolder } from './project-folder.js';

/** A project on disk that is watched, and the changes that were reported, from its root. */
export interface WatchedProject extends ProjectFolder {
  readonly watcher: ReturnType<typeof watchProject>;
  readonly seen: string[];
}

export function watched(files: Files, options: Partial<WatchOptions> = {}): WatchedProject {
  const project = createProjectFolder(files);
  const seen: string[] = [];
  const watcher = watchProject({
    root: project.root,
    onChange: (file) => seen.push(path.relative(project.root, file)),
    onError(error) {
      throw error;
    },
    clock: systemClock,
    ...options,
  });
  onTestFinished(() => watcher.close());
  return { ...project, watcher, seen };
}

/** Waits for what the system reports in its own time. */
export function until(check: () => unknown, intervalMs = 10): Promise<unknown> {
  return vi.waitFor(check, { timeout: 60_000, interval: intervalMs });
}
