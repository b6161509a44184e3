import {
  errorCode,
  isVirguleError,
  namedErrorText,
  readableError,
  type VirguleError,
} from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';

export type ModuleExports = Readonly<Record<string, unknown>>;

/** Resolves to the exports of a file, by its path relative to the root of the project. */
export type ImportModule = (file: string) => Promise<ModuleExports>;

export interface ImportOptions {
  readonly importModule: ImportModule;
  /** Returns the text of a file, so that errors can name a line. @defaultValue errors name only the file */
  readonly readSource?: ((file: string) => string | undefined) | undefined;
}

/** Returns a function that imports each file once and reports a failure once, also if several commands share the file. */
export function createImporter(importModule: ImportModule, problems: VirguleError[]) {
  const started = new Map<string, Promise<ModuleExports | null>>();
  async function importNow(file: string): Promise<ModuleExports | null> {
    try {
      return withoutCommonJs(file, await importModule(file));
    } catch (thrown) {
      const error = readableError(thrown);
      const details = { file, reason: namedErrorText(error), isUnreadable: isUnreadable(error) };
      const context = { cause: error, location: { file } };
      problems.push(isVirguleError(error) ? error : runtimeErrors.E_MODULE_THREW(details, context));
      return null;
    }
  }
  return (file: string): Promise<ModuleExports | null> => {
    const exports = started.get(file) ?? importNow(file);
    started.set(file, exports);
    return exports;
  };
}

/**
 * Returns the exports of a module as its author wrote them. For a CommonJS file, Node.js exports `module.exports` as the
 * default export, together with some of its properties and, since version 23, with the name `module.exports`.
 */
export function withoutCommonJs(file: string, exports: ModuleExports): ModuleExports {
  if (!/\.c[jt]s$/.test(file)) return exports;
  const main = exports['default'];
  return isObject(main) && 'default' in main ? { ...main } : { default: main };
}

/** Returns whether an error means that Node.js cannot import this type of file, such as TypeScript that compiles to CommonJS. */
const isUnreadable = (error: unknown): boolean => errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION';
