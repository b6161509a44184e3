/**
 * The boundaries of this repository, as data. `plugin.mjs` enforces them in oxlint, and `plugin.test.mjs`
 * tests it with planted violations.
 */

/** Package name of each folder. */
export const packageNames = {
  core: '@virgule/core',
  client: '@virgule/client',
  runtime: '@virgule/runtime',
  redis: '@virgule/redis',
  voice: '@virgule/voice',
  simulator: '@virgule/simulator',
  playground: '@virgule/playground',
  virgule: 'virgule',
  'create-template': 'create-virgule',
  bench: '@virgule/bench',
};

/**
 * The direction of imports: core <- client <- runtime <- virgule, core <- simulator <- virgule, runtime <- redis, runtime <- voice.
 * `types` may be imported with `import type` only; `tests` are added for test files. `core/clock` is
 * that entry of the package and no other.
 *
 * @type {Record<string, { source: string[], types?: string[], tests?: string[] }>}
 */
export const direction = {
  core: { source: [] },
  client: { source: ['core'], tests: ['simulator'] },
  runtime: { source: ['core', 'client'], tests: ['simulator'] },
  redis: { source: ['core', 'client', 'runtime'], tests: ['simulator'] },
  voice: { source: ['core', 'client', 'runtime'], tests: ['simulator'] },
  simulator: { source: ['core'] },
  // The page shows which option each word will be assigned to, so it needs the bot's own tokenizer: a
  // second one would differ. These entries have no dependencies; others would add zod to the page.
  playground: {
    source: ['core/raw-input', 'core/simulator-api', 'core/text', 'core/objects', 'core/errors'],
    types: ['core'],
  },
  virgule: { source: ['core', 'client', 'runtime', 'simulator'] },
  // Bundled: the published file imports no packages.
  'create-template': { source: ['core'] },
  bench: { source: ['core', 'client', 'runtime', 'redis', 'simulator', 'voice', 'virgule'] },
};

/** Files to which `direction` applies: the tools check all packages, and none imports them. */
export const directionHeld = /^(packages\/(?!tools\/)|templates\/)/;

/** Packages that a template may import: those that its user installs. */
export const templateImports = ['virgule', '@virgule/voice'];

/** Samples and conformance suites for tests of several packages. */
export const sharedFixtures =
  /^packages\/(core\/test\/(fixtures|samples)|runtime\/test\/conformance|simulator\/test\/shared|bench\/src\/scale)\//;

/** Names that access time, randomness, the environment, the process or the terminal. */
export const outsideWorld = [
  'Date()',
  'Date.now',
  'performance.now',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'AbortSignal.timeout',
  'Math.random',
  'process.env',
  'process.exit',
  'console',
];

/** Modules that export the same names. */
export const outsideModules = ['timers', 'timers/promises', 'process', 'console'];

/** Files in which the names above are allowed: the clock, the entries of processes, the page. */
export const outsideAllowed = [
  /^packages\/core\/src\/clock(\.ts$|\/)/,
  // HTTPS_PROXY and NO_PROXY, which every program reads from its environment.
  /^packages\/client\/src\/request\/proxy\.ts$/,
  /^packages\/[^/]+\/(src\/)?bin\//,
  /^packages\/(runtime|virgule)\/src\/process\//,
  /^packages\/playground\//,
  // A program, as users write it.
  /^packages\/client\/test\/readme-bot\.ts$/,
  /^packages\/bench\//,
  /^packages\/core\/test\/fixtures\/property-runs\.ts$/,
];

/** Files to which `outsideWorld` applies: not the tools and templates. */
export const outsideHeld = /^packages\/(?!tools\/)/;

/** Test files, which may import more. */
export const testFile = /^packages\/[^/]+\/(test\/|src\/.*\.test(-d)?\.tsx?$)/;

/** Files whose comments and names of tests `plain-words` checks. */
export const plainWordsHeld = /^packages\//;

/** Files whose identifiers `plain-words` checks. */
export const plainNamesHeld = /^packages\//;

/** Files whose strings `plain-words` and `message-form` check as well: users do not see those of tests. */
export const messagesHeld = /^packages\/[^/]+\/src\/(?!.*\.test(-d)?\.tsx?$)/;
