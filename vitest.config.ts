import { defineConfig } from 'vitest/config';
import { findChromium } from './.scripts/browser.mjs';

// Workspace packages resolve to their sources, so tests need no build.
const conditions = ['virgule-source', 'module', 'node', 'development|production'];

const executablePath = findChromium();

declare module 'vitest' {
  interface ProvidedContext {
    /** Options for playwright-core: `chromium.launch(inject('chromium'))`. */
    readonly chromium: { readonly executablePath: string; readonly args: string[] };
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['virgule-source'] } },
  test: {
    sequence: { shuffle: true, seed: 20 },
    projects: [
      {
        extends: true,
        test: { name: 'scripts', include: ['.scripts/**/*.test.mjs'] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.browser.test.ts', '**/*.slow.test.ts'],
        },
      },
      {
        extends: true,
        // What takes real seconds: `npm run test:all` runs them.
        test: {
          name: 'slow',
          include: ['packages/*/{src,test}/**/*.slow.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Without a Chromium there is nothing to run them in: `npm test` gets one or says so.
          include:
            executablePath === undefined ? [] : ['packages/*/{src,test}/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          provide: {
            chromium: {
              executablePath: executablePath ?? '',
              // Chromium refuses its sandbox to root, and containers have a small /dev/shm.
              args: [
                ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
                '--disable-dev-shm-usage',
              ],
            },
          },
        },
      },
    ],
  },
});
