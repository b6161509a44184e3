const SOURCE_EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Pattern of files that are no routes: `x.test.ts`, `x.spec.ts`, `x.test-d.ts`, `x.d.ts`. Matches the name without its last extension. */
const NOT_A_ROUTE = /\.(?:test|spec|test-d|d)(?:\.|$)/;

/** A source file below one of the folders of routes. */
export interface SourceFile {
  /** Path relative to the root of the project, with `/`. */
  readonly file: string;
  /** Names of the folders between the routes folder and the file, outermost first. */
  readonly folders: readonly string[];
  /** Name of the file without its extension; `_folder/index` for the index of a private folder. */
  readonly stem: string;
}

/** Normalizes a listing: `/` between names, no leading `./`, each path once, sorted. */
export const normalizePaths = (files: readonly string[]): string[] =>
  [...new Set(files.map(normalizePath))].sort();

/** Returns a path with `/` between names and without leading `./` and trailing `/`. */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '');
}

/** Returns whether a name in a path is private: whether the name starts with `_` or a dot. */
export const isHidden = (name: string): boolean => name.startsWith('.') || name.startsWith('_');

/**
 * Returns the source files below `folder`, without tests, declarations, dot-files and private folders.
 * Files with a leading `_` are included: some of them are special.
 */
export function sourceFilesIn(folder: string, files: readonly string[]): SourceFile[] {
  return files.flatMap((file) => {
    if (!file.startsWith(`${folder}/`) || !SOURCE_EXTENSION.test(file)) return [];
    const names = file.slice(folder.length + 1).split('/');
    let stem = (names.pop() ?? '').replace(SOURCE_EXTENSION, '');
    // `_middleware/index.ts` may be meant as `_middleware.ts`, as `commands/note/index.ts` is the command `note`.
    if (stem === 'index' && names.at(-1)?.startsWith('_')) stem = `${names.pop()}/index`;
    if (names.some(isHidden) || stem.startsWith('.') || stem === '' || NOT_A_ROUTE.test(stem))
      return [];
    return [{ file, folders: names, stem }];
  });
}

/** Returns whether a folder is a group, which adds nothing to a name: `(admin)`. */
export const isGroup = (folder: string): boolean => /^\(.+\)$/.test(folder);
