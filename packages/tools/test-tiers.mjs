/**
 * The tiers of tests, each a project of vitest. `npm test` runs those marked `gate`: each promise once, in its cheapest
 * form. `npm run test:all` also runs those marked `all`, and then those marked `quiet`, one file at a time: load that a test
 * makes must not fail another one that measures. A file of tests in no tier fails `test-tiers.test.mjs`.
 */

/** Tests that start programs, and that the gate runs: one file for each promise of a user's day. */
const smoke = [
  'packages/bench/test/command-budget.integration.test.ts',
  'packages/client/test/undici-index.integration.test.ts',
  'packages/create-template/test/bundle.integration.test.ts',
  'packages/redis/test/bus.integration.test.ts',
  'packages/redis/test/platform.integration.test.ts',
  'packages/virgule/src/dev/server/child.integration.test.ts',
  'packages/virgule/src/process/process-io.integration.test.ts',
  'packages/virgule/test/build.integration.test.ts',
  'packages/virgule/test/commands.integration.test.ts',
  'packages/virgule/test/deploy-terminal.integration.test.ts',
  'packages/virgule/test/dev.integration.test.ts',
  'packages/virgule/test/loaded-files.integration.test.ts',
  'packages/virgule/test/production.integration.test.ts',
  'packages/virgule/test/secrets.integration.test.ts',
  'packages/voice/test/simulator.integration.test.ts',
];

/** Tests in Chromium that the gate runs. */
const browserSmoke = [
  'packages/playground/test/chat.browser.test.ts',
  'packages/playground/test/commands.browser.test.ts',
  'packages/playground/test/keyboard.browser.test.ts',
  'packages/playground/test/trace.browser.test.ts',
];

/**
 * Files of each tier, as patterns of vitest, and the command that runs them.
 *
 * @type {Record<string, { runs: 'gate' | 'all' | 'quiet' | 'alone', include: string[], exclude?: string[] }>}
 */
export const tiers = {
  tools: { runs: 'gate', include: ['packages/tools/**/*.test.mjs'] },
  unit: {
    runs: 'gate',
    include: ['packages/*/{src,test}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.{integration,fuzz,browser,slow,interop}.test.ts', '**/test/faults/**'],
  },
  faults: {
    runs: 'gate',
    include: ['packages/*/test/faults/**/*.test.ts'],
    exclude: ['**/*.{fuzz,integration}.test.ts'],
  },
  smoke: { runs: 'gate', include: smoke },
  'browser-smoke': { runs: 'gate', include: browserSmoke },
  integration: {
    runs: 'all',
    include: ['packages/*/{src,test}/**/*.integration.test.ts'],
    exclude: smoke,
  },
  browser: {
    runs: 'all',
    include: ['packages/*/test/**/*.browser.test.ts'],
    exclude: browserSmoke,
  },
  fuzz: { runs: 'all', include: ['packages/*/{src,test}/**/*.fuzz.test.ts'] },
  slow: { runs: 'quiet', include: ['packages/*/{src,test}/**/*.slow.test.ts'] },
  // With programs of others, which `npm run interop` installs.
  interop: { runs: 'alone', include: ['packages/*/test/**/*.interop.test.ts'] },
};

/** Returns the arguments of vitest that select the tiers of a command, such as `--project unit`. */
export const projectsOf = (...runs) =>
  Object.keys(tiers)
    .filter((name) => runs.includes(tiers[name].runs))
    .flatMap((name) => ['--project', name]);
