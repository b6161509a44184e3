import { availableParallelism } from 'node:os';
import { defineConfig, type UserWorkspaceConfig as ProjectConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findChromium } from './packages/tools/browser.mjs';
import { findRedis } from './packages/tools/redis.mjs';
import { tiers } from './packages/tools/test-tiers.mjs';

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

const inChromium: ProjectConfig['test'] = {
  isolate: false,
  globalSetup: ['packages/playground/test/build-page.ts'],
  provide: {
    chromium: {
      executablePath: executablePath ?? '',
      // Chromium does not support its sandbox as root, and containers have a small /dev/shm.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
    },
  },
  // Empty without Chromium: `npm test` installs it or reports that it is missing.
  ...(executablePath === undefined && { include: [] }),
};

/** Lets waits last as long as they take on a busy machine. */
const PATIENT = 'packages/tools/patient-waits.mjs';

/** Settings of tiers that differ from the defaults. */
const settings: Record<string, ProjectConfig['test']> = {
  // Tests have no shared state, so a worker imports each module once.
  unit: { isolate: false, setupFiles: [PATIENT, 'packages/tools/no-child-process.mjs'] },
  // These import the simulator, a hundred modules.
  faults: { isolate: false },
  // What these test runs in processes of its own.
  smoke: { isolate: false },
  integration: { isolate: false },
  browser: inChromium,
  'browser-smoke': inChromium,
};

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
    expect: { poll: { timeout: 60_000 } },
    setupFiles: [PATIENT],
    provide: { redisServer: findRedis() ?? '' },
    projects: Object.entries(tiers).map(([name, { include, exclude = [] }]) => ({
      extends: true,
      test: {
        name,
        include,
        exclude: ['**/node_modules/**', ...exclude],
        ...settings[name],
      },
    })),
  },
});
