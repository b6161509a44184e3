import { runtimeErrors } from '../errors/runtime-errors.js';
import { commandName, refusalOf } from './command-name.js';
import { isHidden, type SourceFile } from './project-paths.js';
import { specialFiles, type Wrapping } from './special-files.js';

/** A file that defines a command. Paths are from the project's root, with `/`. */
export interface CommandRoute extends Wrapping {
  readonly name: string;
  readonly file: string;
}

/** Finds the commands among the files of the commands folder, each with what wraps it. */
export function commandRoutes(files: readonly SourceFile[], separator: string) {
  const special = specialFiles(files);
  const problems = [...special.problems];

  const routes: CommandRoute[] = [];
  const filesByName = new Map<string, string[]>();
  for (const source of files) {
    const wrapping = special.wrapping(source);
    // Its guard exists and would not run: neither does the command.
    if (isHidden(source.stem) || !wrapping) continue;
    const { file } = source;
    const name = commandName(source, separator);
    const why = refusalOf(name);
    if (why !== null) {
      problems.push(runtimeErrors.E_COMMAND_NAME({ file, name, why }, { location: { file } }));
      continue;
    }
    const route = { name, file, ...wrapping };
    if (!filesByName.has(name)) routes.push(route);
    filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  }

  for (const [name, paths] of filesByName) {
    const [, second] = paths;
    if (second === undefined) continue;
    const details = { name, files: paths };
    problems.push(runtimeErrors.E_COMMAND_CONFLICT(details, { location: { file: second } }));
  }
  routes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { routes, problems };
}
