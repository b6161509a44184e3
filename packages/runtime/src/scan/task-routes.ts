import type { VirguleError } from '@virgule/core/errors';
import { commandName } from './command-name.js';
import { oneFile } from './one-file.js';
import { isHidden, type SourceFile } from './project-paths.js';

/** A file that defines a task. */
export interface TaskRoute {
  readonly name: string;
  readonly file: string;
}

/** Finds the tasks: `tasks/clean-up.ts` is `clean-up`, `tasks/mail/send.ts` is `mail-send`. */
export function taskRoutes(files: readonly SourceFile[]) {
  const byName = new Map<string, string[]>();
  for (const source of files) {
    if (isHidden(source.stem)) continue;
    const name = commandName(source, '-') || 'index';
    byName.set(name, [...(byName.get(name) ?? []), source.file]);
  }
  const problems: VirguleError[] = [];
  const routes: TaskRoute[] = [];
  for (const [name, found] of byName) {
    const file = oneFile(`the task ${name}`, found, problems);
    if (file !== undefined) routes.push({ name, file });
  }
  routes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { routes, problems };
}
