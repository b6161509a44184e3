import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { Loader } from '../../loader/create-loader.js';

/**
 * Compiles changed files while the dev server, which decides what is reloaded, compares them and sends the change: the
 * reload then waits less for esbuild. Where Linux cannot watch a folder, and on other systems, reloads only take longer.
 */
export function createCompilerAhead({ compileAhead }: Pick<Loader, 'compileAhead'>) {
  const watchers = new Map<string, FSWatcher>();
  return {
    /** Watches folders, in addition to those of earlier calls. */
    add(folders: readonly string[]): void {
      if (process.platform !== 'linux') return;
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, (_event, name) => {
            if (name !== null) compileAhead(join(folder, name));
          });
          watcher.on('error', () => watcher.close());
          watchers.set(folder, watcher);
        } catch {
          // The folder is gone, or the system watches no more folders, which the dev server reports.
        }
      }
    },
    close(): void {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
