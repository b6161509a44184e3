import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { pnpm } from './pnpm.mjs';
import { ensureRedis } from './redis.mjs';
import { root, tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { build, install } from './setup.mjs';

/**
 * A step of `npm test`. Without `ok`, it was skipped for the reason in `skipped`.
 *
 * @typedef {{ ok?: boolean, output?: string, skipped?: string }} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Step
 */

/** @param {string[]} command */
const shown = (...command) => runCommand(command, { show: true });

/** @param {string[]} args */
const vitest = (...args) => shown(tool('vitest'), 'run', ...args);

async function browserTests() {
  const { reason } = await ensureChromium();
  if (reason === undefined) return vitest('--project', 'browser');
  return process.env.CI === 'true' ? { ok: false, output: reason } : { skipped: reason };
}

/**
 * Runs rows of commands side by side, because each keeps one core busy at most. Prints the output of a row's commands
 * as they end.
 *
 * @param {...(() => Promise<Outcome>)[]} rows - the commands of a row run one after the other, until one fails
 */
async function together(...rows) {
  const outcomes = await Promise.all(
    rows.map(async (row) => {
      for (const run of row) {
        const { ok, output, skipped } = await run();
        if (output) console.log(output.trim());
        if (skipped !== undefined) console.log(`skipped: ${skipped}`);
        else if (!ok) return false;
      }
      return true;
    }),
  );
  return { ok: outcomes.every(Boolean) };
}

/** @type {readonly Step[]} */
export const steps = [
  { name: 'install', run: install },
  { name: 'format', run: () => shown(tool('oxfmt'), '--check') },
  { name: 'boundaries', run: () => vitest('--project', 'scripts') },
  { name: 'types', run: () => shown(tool('tsc'), '-b') },
  // After the types, which the templates read from the built packages.
  { name: 'lint', run: () => shown(tool('oxlint')) },
  { name: 'build', run: build },
  { name: 'unit tests', run: () => vitest('--project', 'unit') },
  {
    name: 'integration tests',
    run: async () => {
      const { reason } = await ensureRedis();
      if (reason !== undefined) return { ok: false, output: reason };
      // Far more than they need: the timeout is for tests that hang, not for slow ones on a busy machine.
      const projects = ['integration', 'faults', 'fuzz'].flatMap((name) => ['--project', name]);
      return runCommand([tool('vitest'), 'run', ...projects], {
        show: true,
        timeoutSeconds: 1_800,
      });
    },
  },
  {
    name: 'browser tests, unused code, docs, and packages as they are published',
    run: () =>
      together(
        [browserTests],
        [() => runCommand([process.execPath, join(root, '.scripts/pack-check.mjs')])],
        [
          () => runCommand([tool('knip'), '--no-config-hints']),
          () =>
            runCommand([...pnpm(), '--filter', './docs', 'run', 'build'], {
              env: { DOCS_PLAIN: 'true' },
            }),
        ],
      ),
  },
];

/** Node.js versions on which the loader is tested, because it depends on internals of the version. */
const NODE_VERSIONS = ['20', '22', '24', '26'];
const LOADER_TESTS = ['packages/virgule/src/loader', 'packages/virgule/test/loader'];

/**
 * The additional steps of `npm run test:all`.
 *
 * @type {readonly Step[]}
 */
export const moreSteps = [
  { name: 'slow tests', run: () => vitest('--project', 'slow') },
  // `npm test` follows the Dockerfile of one, and tests, builds and runs the others.
  ...['full', 'javascript', 'empty', 'music', 'reminders'].map((template) => ({
    name: `the Dockerfile of the template ${template}`,
    run: () => shown(process.execPath, join(root, '.scripts/pack-check.mjs'), template),
  })),
  ...NODE_VERSIONS.map((version) => ({
    name: `loader on Node ${version}`,
    run: () =>
      // The package `node` contains the program.
      shown(
        'npx',
        '-y',
        `node@${version}`,
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project',
        'unit',
        ...LOADER_TESTS,
      ),
  })),
];
