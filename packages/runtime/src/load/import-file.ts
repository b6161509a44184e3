import {
  errorCode,
  isVirguleError,
  namedErrorText,
  readableError,
  type VirguleError,
} from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** The exports of a module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** Resolves to the exports of a project's file, by its path from the project's root. */
export type ImportModule = (file: string) => Promise<ModuleExports>;

/** How the files of a project are read. */
export interface ImportOptions {
  readonly importModule: ImportModule;
  /** Text of a file, so that errors can name a line. Without it they name the file. */
  readonly readSource?: ((file: string) => string | undefined) | undefined;
}

/** Returns a function that imports each file once, and reports a failure once, however many commands share it. */
export function createImporter(
  importModule: ImportModule,
  report: (problem: VirguleError) => void,
) {
  const started = new Map<string, Promise<ModuleExports | null>>();
  return (file: string): Promise<ModuleExports | null> => {
    let exports = started.get(file);
    if (!exports) {
      exports = importModule(file).then(
        (found) => withoutCommonJs(file, found),
        (thrown: unknown) => {
          const error = readableError(thrown);
          report(
            isVirguleError(error)
              ? error
              : runtimeErrors.E_MODULE_THREW(
                  { file, reason: namedErrorText(error), isUnreadable: isUnreadable(error) },
                  { cause: error, location: { file } },
                ),
          );
          return null;
        },
      );
      started.set(file, exports);
    }
    return exports;
  };
}

/**
 * Returns the exports of a module as its author wrote them. For a CommonJS file, Node.js passes all of
 * `module.exports` as the default export, along with some of its properties and, from version 23 on,
 * `module.exports` itself.
 */
export function withoutCommonJs(file: string, exports: ModuleExports): ModuleExports {
  if (!/\.c[jt]s$/.test(file)) return exports;
  const main = exports['default'];
  const isPlain = isObject(main) && 'default' in main;
  return isPlain ? { ...main } : { default: main };
}

/** Returns whether Node.js cannot import this type of file, such as TypeScript that compiles to CommonJS. */
const isUnreadable = (error: unknown): boolean => errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION';
