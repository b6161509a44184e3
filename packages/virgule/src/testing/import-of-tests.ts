import type { ImportModule } from '@virgule/runtime/project';

/** Import function of a test runner, for the files of a bot. */
export interface ImportOfTests {
  readonly importModule: ImportModule;
  readonly root: string;
}

/** Key on the global object, because a test runner may evaluate the two sides as different modules. */
const KEY = Symbol.for('virgule.importOfTests');

type Holder = { [KEY]?: ImportOfTests };

/** Makes test bots import the files of their project with the test runner's own `import()`. */
export function setImportOfTests(given: ImportOfTests): void {
  (globalThis as Holder)[KEY] = given;
}

/** Returns the value passed to {@link setImportOfTests}; `undefined` without the vitest plugin. */
export const importOfTests = (): ImportOfTests | undefined => (globalThis as Holder)[KEY];
