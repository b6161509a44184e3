import { type VirguleError } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { commandName, refusalOf } from './command-name.js';
import { isHidden, type SourceFile } from './project-paths.js';
import type { CommandRoute } from './scan.js';

export interface CommandRoutes {
  readonly routes: readonly CommandRoute[];
  readonly problems: readonly VirguleError[];
}

/** Finds the commands among the files of the commands folder, each with what wraps it. */
export function commandRoutes(files: readonly SourceFile[], separator: string): CommandRoutes {
  const problems: VirguleError[] = [];
  const middleware = specialFiles(files, '_middleware', problems);
  const errorHandlers = specialFiles(files, '_error', problems);
  const unguarded = misspelledFiles(files, problems);

  const byName = new Map<string, [SourceFile, ...SourceFile[]]>();
  for (const source of files) {
    // Its guard exists and would not run: neither does the command.
    if (isHidden(source.stem) || alongFolders(source.folders, unguarded).length > 0) continue;
    const name = commandName(source, separator);
    const why = refusalOf(name);
    if (why !== null) {
      const { file } = source;
      problems.push(runtimeErrors.E_COMMAND_NAME({ file, name, why }, { location: { file } }));
      continue;
    }
    const others = byName.get(name);
    if (others) others.push(source);
    else byName.set(name, [source]);
  }

  const routes: CommandRoute[] = [];
  for (const [name, sources] of byName) {
    const [first, second] = sources;
    if (second) {
      const paths = sources.map((source) => source.file);
      problems.push(
        runtimeErrors.E_COMMAND_CONFLICT(
          { name, files: paths },
          { location: { file: second.file } },
        ),
      );
    }
    routes.push({
      name,
      file: first.file,
      middleware: alongFolders(first.folders, middleware),
      errorHandlers: alongFolders(first.folders, errorHandlers).reverse(),
    });
  }
  routes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { routes, problems };
}

const SPECIAL_STEMS = ['_middleware', '_error'] as const;

/** Reports files that are meant to be special and are not, and returns them by their folder. */
function misspelledFiles(
  files: readonly SourceFile[],
  problems: VirguleError[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { file, folders, stem } of files) {
    const meant = misspelled(stem);
    if (meant === undefined) continue;
    found.set(folders.join('/'), file);
    const name = meant + file.slice(file.lastIndexOf('.'));
    problems.push(runtimeErrors.E_SPECIAL_FILE_NAME({ file, meant: name }, { location: { file } }));
  }
  return found;
}

/** Returns the special name that a private one resembles. Typing errors hardly ever hit the first letter. */
function misspelled(stem: string): string | undefined {
  if (!stem.startsWith('_') || SPECIAL_STEMS.some((special) => special === stem)) return undefined;
  const folder = /^(.+)\/index$/.exec(stem)?.[1];
  if (folder !== undefined) return SPECIAL_STEMS.find((special) => special === folder);
  const first = stem.replace(/^_+/, '')[0]?.toLowerCase();
  const alike = SPECIAL_STEMS.filter((special) => special[1] === first);
  return (
    didYouMean(
      stem.slice(1),
      alike.map((special) => special.slice(1)),
    ) && alike[0]
  );
}

/** Returns the special file of each folder, by the folder's path below the commands folder. */
function specialFiles(
  files: readonly SourceFile[],
  stem: '_middleware' | '_error',
  problems: VirguleError[],
): ReadonlyMap<string, string> {
  const byFolder = new Map<string, string[]>();
  for (const source of files) {
    if (source.stem !== stem) continue;
    const folder = source.folders.join('/');
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), source.file]);
  }
  const found = new Map<string, string>();
  for (const [folder, paths] of byFolder) {
    const [first, second] = paths;
    if (first !== undefined) found.set(folder, first);
    if (second !== undefined) {
      problems.push(
        runtimeErrors.E_FILE_CONFLICT(
          { what: `the ${stem} of one folder`, files: paths },
          { location: { file: second } },
        ),
      );
    }
  }
  return found;
}

/** Returns the files of the folders from the commands folder down to `folders`, outermost first. */
function alongFolders(folders: readonly string[], found: ReadonlyMap<string, string>): string[] {
  const chain: string[] = [];
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const file = found.get(folders.slice(0, depth).join('/'));
    if (file !== undefined) chain.push(file);
  }
  return chain;
}
