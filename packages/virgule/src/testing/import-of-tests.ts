import type { ImportModule } from '@virgule/runtime/project';

/** On the global object, because a test runner may evaluate the two sides as different modules. */
const KEY = Symbol.for('virgule.importOfTests');

type Holder = { [KEY]?: ImportModule };

/** Makes test bots import the files of their project with the test runner's own `import()`. */
export function setImportOfTests(importModule: ImportModule): void {
  (globalThis as Holder)[KEY] = importModule;
}

/** Returns what {@link setImportOfTests} was given; `undefined` without the vitest plugin. */
export function importOfTests(): ImportModule | undefined {
  return (globalThis as Holder)[KEY];
}
