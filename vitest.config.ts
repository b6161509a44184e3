import { availableParallelism } from 'node:os';
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
    // Files go by how long they took, those unknown by their size: a long one last would run alone.
    sequence: { shuffle: { files: false, tests: true }, seed: 20 },
    // Vitest leaves one core free for itself, which on two halves the work.
    maxWorkers: Math.max(2, availableParallelism()),
    // To end what hangs: a busy machine takes its time, more so where programs start.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'scripts', include: ['.scripts/**/*.test.mjs'] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}'],
          exclude: [
            '**/node_modules/**',
            '**/*.{integration,fuzz,browser,slow}.test.ts',
            '**/test/faults/**',
          ],
          // They keep no state outside their tests: one worker imports each module once.
          isolate: false,
          setupFiles: ['.scripts/no-child-process.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [
            'packages/*/{src,test}/**/*.integration.test.ts',
            'packages/*/test/faults/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.{fuzz,browser,slow}.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['packages/*/{src,test}/**/*.fuzz.test.ts'] },
      },
      {
        extends: true,
        // What takes real seconds: `npm run test:all` runs them.
        test: { name: 'slow', include: ['packages/*/{src,test}/**/*.slow.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Without a Chromium there is nothing to run them in: `npm test` gets one or says so.
          include:
            executablePath === undefined ? [] : ['packages/*/{src,test}/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
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
