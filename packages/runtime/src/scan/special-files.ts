import { type VirguleError } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';
import { scanErrors } from '../errors/scan-errors.js';
import { fileConflict, onePerKey } from './one-file.js';
import { isHidden, type SourceFile } from './project-paths.js';

export interface Wrapping {
  /** Paths of middleware files, outermost first. */
  readonly middleware: readonly string[];
  /** Paths of error handlers, innermost first. */
  readonly errorHandlers: readonly string[];
}

const SPECIAL_STEMS = ['_middleware', '_error'] as const;

/** Returns the files that may be routes, each with the special files of its folder and of all parent folders. */
export function wrappedFiles(files: readonly SourceFile[], problems: VirguleError[]) {
  const [middleware, errorHandlers] = SPECIAL_STEMS.map((special) => {
    const conflictOf = fileConflict(() => `the ${special} of one folder`);
    const named = files.filter(({ stem }) => stem === special);
    return byFolder(onePerKey(named, folderOf, conflictOf, problems));
  });
  const unguarded = byFolder(misspelledFiles(files, problems));
  return files.flatMap((source) => {
    const { folders, stem } = source;
    // A special file with a wrong name does not run, so the routes that it should guard must not run either.
    if (isHidden(stem) || alongFolders(folders, unguarded).length > 0) return [];
    const wrapping: Wrapping = {
      middleware: alongFolders(folders, middleware),
      errorHandlers: alongFolders(folders, errorHandlers).reverse(),
    };
    return [{ source, wrapping }];
  });
}

const folderOf = ({ folders }: SourceFile): string => folders.join('/');

const byFolder = (files: readonly SourceFile[]): ReadonlyMap<string, string> =>
  new Map(files.map((source) => [folderOf(source), source.file]));

function misspelledFiles(files: readonly SourceFile[], problems: VirguleError[]): SourceFile[] {
  return files.filter(({ file, stem }) => {
    const name = misspelled(stem);
    if (name === undefined) return false;
    const meant = name + file.slice(file.lastIndexOf('.'));
    const details = { kind: 'special', file, meant } as const;
    problems.push(scanErrors.E_FILE_NAME(details, { location: { file } }));
    return true;
  });
}

/** Returns the intended special name of a file; `undefined` for other files. No command or helper has a name like `middleware`. */
function misspelled(stem: string): string | undefined {
  if (SPECIAL_STEMS.some((special) => special === stem)) return undefined;
  const name = stem.replace(/\/index$/, '');
  // Next.js uses the name without the underscore.
  if (name.toLowerCase() === 'middleware') return '_middleware';
  if (!name.startsWith('_')) return undefined;
  if (didYouMean(name.slice(1), ['middleware'])) return '_middleware';
  if (name !== stem) return name === '_error' ? name : undefined;
  // Short words resemble each other: a typing error hardly ever hits the first letter.
  return /^_+e/i.test(name) && didYouMean(name.slice(1), ['error']) ? '_error' : undefined;
}

/** Returns the found files on the path from the routes folder down to `folders`, outermost first. */
const alongFolders = (folders: readonly string[], found: ReadonlyMap<string, string> | undefined) =>
  ['', ...folders].flatMap((_, depth) => found?.get(folders.slice(0, depth).join('/')) ?? []);
