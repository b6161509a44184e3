import { runtimeErrors } from '../errors/runtime-errors.js';
import { commandName } from './command-name.js';
import { isHidden, type SourceFile } from './project-paths.js';

/** A file that defines a task. */
export interface TaskRoute {
  readonly name: string;
  readonly file: string;
}

/** Finds the tasks: `tasks/clean-up.ts` is `clean-up`, `tasks/mail/send.ts` is `mail-send`. */
export function taskRoutes(files: readonly SourceFile[]) {
  const byName = new Map<string, [string, ...string[]]>();
  for (const source of files) {
    if (isHidden(source.stem)) continue;
    const name = commandName(source, '-') || 'index';
    const others = byName.get(name);
    if (others) others.push(source.file);
    else byName.set(name, [source.file]);
  }
  const problems = [...byName].flatMap(([name, conflicting]) => {
    const [, second] = conflicting;
    if (second === undefined) return [];
    const details = { what: `the task ${name}`, files: conflicting };
    return [runtimeErrors.E_FILE_CONFLICT(details, { location: { file: second } })];
  });
  const routes = [...byName].map(([name, [file]]): TaskRoute => ({ name, file }));
  routes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { routes, problems };
}
