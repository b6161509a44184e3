import type { VirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { scanErrors } from '../errors/scan-errors.js';
import { commandName, refusalOf } from './command-name.js';
import { fileConflict, onePerKey, type Conflict } from './one-file.js';
import { isHidden, type SourceFile } from './project-paths.js';
import { wrappedFiles, type Wrapping } from './special-files.js';

/** A file that defines a task. Paths are relative to the root of the project, with `/`. */
export interface TaskRoute {
  readonly name: string;
  readonly file: string;
}

export interface CommandRoute extends TaskRoute, Wrapping {}

/** Finds the commands among the files of the commands folder, each with its middleware and error handlers. */
export function commandRoutes(
  files: readonly SourceFile[],
  problems: VirguleError[],
  separator: string,
): CommandRoute[] {
  const named = wrappedFiles(files, problems).flatMap(({ source, wrapping }): CommandRoute[] => {
    const { file } = source;
    const name = commandName(source, separator);
    const why = refusalOf(name);
    if (why === null) return [{ name, file, ...wrapping }];
    const details = { kind: 'command', file, name, why } as const;
    problems.push(scanErrors.E_FILE_NAME(details, { location: { file } }));
    return [];
  });
  const conflictOf: Conflict = (name, paths, at) =>
    runtimeErrors.E_COMMAND_CONFLICT({ kind: 'command', name, files: paths }, at);
  return onePerKey(named, ({ name }) => name, conflictOf, problems);
}

/** Finds the tasks: `tasks/clean-up.ts` is `clean-up`, `tasks/mail/send.ts` is `mail-send`. */
export function taskRoutes(files: readonly SourceFile[], problems: VirguleError[]): TaskRoute[] {
  const named = files
    .filter(({ stem }) => !isHidden(stem))
    .map((source) => ({ name: commandName(source, '-') || 'index', file: source.file }));
  const conflictOf = fileConflict((name) => `the task ${name}`);
  return onePerKey(named, ({ name }) => name, conflictOf, problems);
}
