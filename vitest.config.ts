import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findChromium } from './.scripts/browser.mjs';
import { findRedis } from './.scripts/redis.mjs';

// Workspace packages resolve to their sources, so tests need no build.
const conditions = ['virgule-source', 'module', 'node', 'development|production'];

const executablePath = findChromium();

declare module 'vitest' {
  interface ProvidedContext {
    /** Options for playwright-core: `chromium.launch(inject('chromium'))`. */
    readonly chromium: { readonly executablePath: string; readonly args: string[] };
    /** Path of redis-server; empty if there is none. */
    readonly redisServer: string;
    /** Folder of the playground's page, built for this run of the browser tests. */
    readonly pageFolder: string;
  }
}

/** Short files whose tests take long, because they wait or start many programs. */
const LONG = /\/(?:dev-hang|early-end|chat-kill|storage-kill|dev-checkout)\.[^/]*$/;

/**
 * Sorts files by duration, or by size where none is known, such as on a new machine, with short files that take long
 * first: one of them at the end would run alone.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['virgule-source'] } },
  test: {
    sequence: { sequencer: LongFirst, shuffle: { files: false, tests: true }, seed: 20 },
    // One more than there are cores, because many tests wait for files, programs and browsers.
    maxWorkers: availableParallelism() + 1,
    // For tests that hang: a busy machine is slow, especially when tests start programs.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    provide: { redisServer: findRedis() ?? '' },
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
            '**/*.{integration,fuzz,browser,slow,interop}.test.ts',
            '**/test/faults/**',
          ],
          // Tests have no shared state, so a worker imports each module once.
          isolate: false,
          setupFiles: ['.scripts/no-child-process.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['packages/*/{src,test}/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**'],
          // What these test runs in processes of its own.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['packages/*/test/faults/**/*.test.ts'],
          // Their clocks follow the event loop, which what another file left behind may keep busy.
          exclude: ['**/node_modules/**', '**/*.fuzz.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['packages/*/{src,test}/**/*.fuzz.test.ts'] },
      },
      {
        extends: true,
        // Tests that take seconds of real time: `npm run test:all` runs them.
        test: { name: 'slow', include: ['packages/*/{src,test}/**/*.slow.test.ts'] },
      },
      {
        extends: true,
        // Tests with programs of others, which fail where these are not installed: `npm run interop` runs them.
        test: { name: 'interop', include: ['packages/*/test/**/*.interop.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Empty without Chromium: `npm test` installs it or reports that it is missing.
          include:
            executablePath === undefined ? [] : ['packages/*/{src,test}/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          isolate: false,
          globalSetup: ['packages/playground/test/build-page.ts'],
          provide: {
            chromium: {
              executablePath: executablePath ?? '',
              // Chromium does not support its sandbox as root, and containers have a small /dev/shm.
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
