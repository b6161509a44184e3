import { type VirguleError } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { onePerKey } from './one-file.js';
import type { SourceFile } from './project-paths.js';

/** The special files that apply to a route. */
export interface Wrapping {
  /** Outermost first. */
  readonly middleware: readonly string[];
  /** Innermost first. */
  readonly errorHandlers: readonly string[];
}

const SPECIAL_STEMS = ['_middleware', '_error'] as const;

/** Finds the special files of a folder of routes. They apply to their folder and everything below it. */
export function specialFiles(files: readonly SourceFile[]) {
  const problems: VirguleError[] = [];
  const named = (special: (typeof SPECIAL_STEMS)[number]): ReadonlyMap<string, string> =>
    onePerKey(
      files,
      ({ stem, folders }) => (stem === special ? folders.join('/') : undefined),
      () => `the ${special} of one folder`,
      problems,
    );
  const middleware = named('_middleware');
  const errorHandlers = named('_error');
  const unguarded = misspelledFiles(files, problems);
  return {
    problems,
    /** Returns what applies to a file; `undefined` if a special file of its folders has the wrong name, and so would not run. */
    wrapping({ folders }: SourceFile): Wrapping | undefined {
      if (alongFolders(folders, unguarded).length > 0) return undefined;
      return {
        middleware: alongFolders(folders, middleware),
        errorHandlers: alongFolders(folders, errorHandlers).reverse(),
      };
    },
  };
}

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

/** Returns the special name that a file was meant to have. No command or helper has a name like `middleware`. */
function misspelled(stem: string): string | undefined {
  if (SPECIAL_STEMS.some((special) => special === stem)) return undefined;
  const name = stem.replace(/\/index$/, '');
  // Next.js has it without the underscore.
  if (name.toLowerCase() === 'middleware') return '_middleware';
  if (!name.startsWith('_')) return undefined;
  if (didYouMean(name.slice(1), ['middleware'])) return '_middleware';
  if (name !== stem) return name === '_error' ? name : undefined;
  // Short words resemble each other: a typing error hardly ever hits the first letter.
  return /^_+e/i.test(name) && didYouMean(name.slice(1), ['error']) ? '_error' : undefined;
}

/** Returns the files of the folders from the folder of routes down to `folders`, outermost first. */
function alongFolders(folders: readonly string[], found: ReadonlyMap<string, string>): string[] {
  const chain: string[] = [];
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const file = found.get(folders.slice(0, depth).join('/'));
    if (file !== undefined) chain.push(file);
  }
  return chain;
}
