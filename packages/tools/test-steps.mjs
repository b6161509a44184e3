import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { pnpm } from './pnpm.mjs';
import { ensurePromtool } from './promtool.mjs';
import { ensureRedis } from './redis.mjs';
import { root, tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { install } from './setup.mjs';
import { projectsOf } from './test-tiers.mjs';

/**
 * A step of `npm test`. Without `ok`, it was skipped for the reason in `skipped`.
 *
 * @typedef {{ ok?: boolean, output?: string, skipped?: string }} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Step
 */

/** @param {string[]} command */
const shown = (...command) => runCommand(command, { show: true, timeoutSeconds: 1_800 });

/** Runs tasks of the root and of folders, each when the tasks that it needs have passed; skips those without a change. */
const turbo = (folders, ...tasks) =>
  shown(
    ...pnpm(),
    'exec',
    'turbo',
    'run',
    ...tasks,
    ...['//', ...folders].map((folder) => `--filter=${folder}`),
    // Most tasks use two cores by themselves; with three at a time, they took 3 to 7 % more CPU time.
    '--concurrency=2',
    '--env-mode=loose',
    '--output-logs=errors-only',
  );

/** Finds Redis, promtool and Chromium, or installs them. Only CI fails without Chromium. */
async function programs() {
  for (const ensure of [ensureRedis, ensurePromtool]) {
    const missing = await ensure();
    if (missing.reason !== undefined) return { ok: false, output: missing.reason };
  }
  const { reason } = await ensureChromium();
  if (reason === undefined) return { ok: true };
  return process.env.CI === 'true' ? { ok: false, output: reason } : { skipped: reason };
}

const packCheck = (...args) =>
  shown(process.execPath, join(root, 'packages/tools/pack-check.mjs'), ...args);

const CHECKS = ['format:check', 'types', 'lint', 'unused', 'test:tools'];

/** @type {readonly Step[]} */
const setUp = [
  { name: 'install', run: install },
  { name: 'Redis, promtool and Chromium', run: programs },
];

/**
 * The steps of `npm test`.
 *
 * @type {readonly Step[]}
 */
export const gateSteps = [
  ...setUp,
  {
    name: 'checks, tests and packages',
    run: () => turbo(['./packages/*'], ...CHECKS, 'test', 'packages'),
  },
];

const tests = (...args) =>
  runCommand([tool('vitest'), 'run', ...args], {
    show: true,
    timeoutSeconds: 3_600,
    env: { VIRGULE_ALL_RUNS: 'true' },
  });

/** Node.js versions of `npm run test:all`, next to the one that runs it. */
const NODE_VERSIONS = ['22', '24', '26'];

/** Tests that depend on the version of Node.js: the loader, and a built bot. */
const NODE_TESTS = ['--project', 'unit', '--project', 'smoke'];

/**
 * The steps of `npm run test:all`.
 *
 * @type {readonly Step[]}
 */
export const allSteps = [
  ...setUp,
  { name: 'checks and builds', run: () => turbo(['./packages/*', './docs'], ...CHECKS, 'build') },
  { name: 'all tests but slow ones', run: () => tests(...projectsOf('gate', 'all')) },
  { name: 'slow tests', run: () => tests(...projectsOf('quiet'), '--no-file-parallelism') },
  { name: 'bots of all templates', run: () => packCheck('--all') },
  ...NODE_VERSIONS.map((version) => ({
    name: `unit tests and a built bot on Node ${version}`,
    run: () =>
      // The package `node` contains the program.
      shown(
        'npx',
        '-y',
        `node@${version}`,
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...NODE_TESTS,
      ),
  })),
];
