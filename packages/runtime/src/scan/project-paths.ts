const SOURCE_EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** `x.test.ts`, `x.spec.ts`, `x.test-d.ts`, `x.d.ts`; asked of the name without its last extension. */
const NOT_A_ROUTE = /\.(?:test|spec|test-d|d)(?:\.|$)/;

/** A file of code below one of the folders that hold routes. */
export interface SourceFile {
  /** From the project's root, with `/`. */
  readonly file: string;
  /** Names of the folders between the routes folder and the file, outermost first. */
  readonly folders: readonly string[];
  /** Name of the file without its extension; of the index of a private folder, `_folder/index`. */
  readonly stem: string;
}

/** Brings a listing to one form: `/` between names, no leading `./`, each path once, sorted. */
export function normalizePaths(files: readonly string[]): string[] {
  return [...new Set(files.map(normalizePath))].sort();
}

/** One path with `/` between names and without leading `./` and trailing `/`. */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '');
}

/** The part of a path that a private name or a leading dot hides, as a test for one name in it. */
export const isHidden = (name: string): boolean => name.startsWith('.') || name.startsWith('_');

/**
 * The files of code below `folder`, without tests, declarations, dot-files and private folders.
 * Files with a leading `_` are among them: some of them have a meaning.
 */
export function sourceFilesIn(folder: string, files: readonly string[]): SourceFile[] {
  return files.flatMap((file) => {
    if (!file.startsWith(`${folder}/`) || !SOURCE_EXTENSION.test(file)) return [];
    const names = file.slice(folder.length + 1).split('/');
    let stem = (names.pop() ?? '').replace(SOURCE_EXTENSION, '');
    // As `commands/note/index.ts` is the command `note`, `_middleware/index.ts` may be meant as `_middleware.ts`.
    if (stem === 'index' && names.at(-1)?.startsWith('_')) stem = `${names.pop()}/index`;
    if (names.some(isHidden) || stem.startsWith('.') || stem === '' || NOT_A_ROUTE.test(stem))
      return [];
    return [{ file, folders: names, stem }];
  });
}

/** Whether a folder only organises: `(admin)`. */
export const isGroup = (folder: string): boolean => /^\(.+\)$/.test(folder);
