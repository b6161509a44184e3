import type { VirguleError } from '@virgule/core/errors';
import { commandName } from './command-name.js';
import { fileConflict, onePerKey } from './one-file.js';
import { isHidden, type SourceFile } from './project-paths.js';

/** A file that defines a task. */
export interface TaskRoute {
  readonly name: string;
  readonly file: string;
}

/** Finds the tasks: `tasks/clean-up.ts` is `clean-up`, `tasks/mail/send.ts` is `mail-send`. */
export function taskRoutes(files: readonly SourceFile[], problems: VirguleError[]): TaskRoute[] {
  const named = files
    .filter(({ stem }) => !isHidden(stem))
    .map((source) => ({ name: commandName(source, '-') || 'index', file: source.file }));
  const conflictOf: typeof fileConflict = (name, ...rest) =>
    fileConflict(`the task ${name}`, ...rest);
  return onePerKey(named, ({ name }) => name, conflictOf, problems);
}
