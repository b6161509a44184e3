import { expect } from 'vitest';
import { setImportOfTests } from './import-of-tests.js';
import { matchers } from './matchers.js';

expect.extend(matchers);

// Evaluated by vitest itself, so that `import()` here is that of the tests: mocks and coverage apply to a bot's files.
setImportOfTests({
  importModule: (file) => import(/* @vite-ignore */ file),
  root: __VIRGULE_ROOT__,
});

// Never loaded from here. It makes every test depend on the bot's files, so that a change of one runs the tests again.
import.meta.glob([
  '/{commands,events}/**/*.{ts,tsx,mts,js,jsx,mjs}',
  '/src/{commands,events}/**/*.{ts,tsx,mts,js,jsx,mjs}',
  '/{services,virgule.config}.{ts,mts,js,mjs}',
  '/src/services.{ts,mts,js,mjs}',
  '!/**/*.{test,spec}.*',
  '!/**/*.d.ts',
]);

declare global {
  /** The folder of vitest's project: the plugin writes it here. */
  const __VIRGULE_ROOT__: string;
  interface ImportMeta {
    /** Vite's: replaced with one dynamic import for each file that matches. */
    glob(patterns: readonly string[]): unknown;
  }
}
