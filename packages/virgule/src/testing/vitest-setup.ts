import { expect } from 'vitest';
import { setImportOfTests } from './import-of-tests.js';
import { matchers } from './matchers.js';

expect.extend(matchers);

// vitest evaluates this module itself, so `import()` here is the import of tests: mocks and coverage apply to a bot's
// files.
setImportOfTests({
  importModule: (file) => import(/* @vite-ignore */ file),
  root: __VIRGULE_ROOT__,
});

// The result is unused, so no file is loaded here. Every test depends on the bot's files, so their changes run the
// tests again.
import.meta.glob([
  '/{commands,events}/**/*.{ts,tsx,mts,js,jsx,mjs}',
  '/src/{commands,events}/**/*.{ts,tsx,mts,js,jsx,mjs}',
  '/{services,virgule.config}.{ts,mts,js,mjs}',
  '/src/services.{ts,mts,js,mjs}',
  '!/**/*.{test,spec}.*',
  '!/**/*.d.ts',
]);

declare global {
  /** Folder of vitest's project, inserted by the plugin. */
  const __VIRGULE_ROOT__: string;
  interface ImportMeta {
    /** Function of Vite, replaced with one dynamic import for each matching file. */
    glob(patterns: readonly string[]): unknown;
  }
}
