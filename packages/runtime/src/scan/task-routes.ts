import type { VirguleError } from '@virgule/core/errors';
import { commandName } from './command-name.js';
import { onePerKey } from './one-file.js';
import { isHidden, type SourceFile } from './project-paths.js';

/** A file that defines a task. */
export interface TaskRoute {
  readonly name: string;
  readonly file: string;
}

/** Finds the tasks: `tasks/clean-up.ts` is `clean-up`, `tasks/mail/send.ts` is `mail-send`. */
export function taskRoutes(files: readonly SourceFile[]) {
  const problems: VirguleError[] = [];
  const byName = onePerKey(
    files,
    (source) => (isHidden(source.stem) ? undefined : commandName(source, '-') || 'index'),
    (name) => `the task ${name}`,
    problems,
  );
  const routes = [...byName].map(([name, file]): TaskRoute => ({ name, file }));
  routes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { routes, problems };
}
