/**
 * The two walls of this repository, as data. Everything that is allowed is written here and nowhere
 * else; `plugin.mjs` enforces it inside oxlint and `plugin.test.mjs` plants violations.
 */

/** Published name of each package folder. */
export const packageNames = {
  core: '@virgule/core',
  client: '@virgule/client',
  runtime: '@virgule/runtime',
  simulator: '@virgule/simulator',
  playground: '@virgule/playground',
  virgule: 'virgule',
  'create-template': 'create-virgule',
  bench: '@virgule/bench',
};

/**
 * The one direction of imports: core <- client <- runtime <- virgule, core <- simulator <- virgule.
 * `types` may be imported with `import type` only; `tests` are added for test files. `core/clock` is
 * that entry of the package and no other.
 *
 * @type {Record<string, { source: string[], types?: string[], tests?: string[] }>}
 */
export const direction = {
  core: { source: [] },
  client: { source: ['core'], tests: ['simulator'] },
  runtime: { source: ['core', 'client'], tests: ['simulator'] },
  simulator: { source: ['core'] },
  // The page shows which option each word will be assigned to, so it needs the bot's own tokenizer: a
  // second one would differ. This entry has no dependencies; any other would add zod to the page.
  playground: { source: ['core/raw-input'], types: ['core'] },
  virgule: { source: ['core', 'client', 'runtime', 'simulator'] },
  // Bundled: what is published imports nothing.
  'create-template': { source: ['core'] },
  bench: { source: ['core', 'client', 'runtime', 'simulator'] },
};

/** What a template may import from us: what its user installs. */
export const templateImports = ['virgule'];

/** Frames and bodies copied from the platform document, and other samples for tests of several packages. */
export const sharedFixtures = /^packages\/core\/test\/(fixtures|samples)\//;

/** Names that reach time, chance, the environment, the process or the terminal. */
export const outsideWorld = [
  'Date()',
  'Date.now',
  'performance.now',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'AbortSignal.timeout',
  'Math.random',
  'process.env',
  'process.exit',
  'console',
];

/** Modules that carry the same names under an import. */
export const outsideModules = ['timers', 'timers/promises', 'process', 'console'];

/** Where the names above are allowed: the clock, the process entries, the page. */
export const outsideAllowed = [
  /^packages\/core\/src\/clock(\.ts$|\/)/,
  /^packages\/[^/]+\/(src\/)?bin\//,
  /^packages\/(runtime|virgule)\/src\/process\//,
  /^packages\/playground\//,
  /^packages\/bench\//,
];

/** Only files below this folder are held to `outsideWorld`: scripts and templates are not. */
export const outsideHeld = /^packages\//;

/** Test code, which may import a little more. */
export const testFile = /^packages\/[^/]+\/(test\/|src\/.*\.test(-d)?\.tsx?$)/;

/** Files whose strings and doc comments `plain-words` reads. */
export const plainWordsHeld = /^packages\/[^/]+\/src\//;

/** Not read: no user sees them. */
export const plainWordsTests = /\.test(-d)?\.tsx?$/;
