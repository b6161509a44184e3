import './require-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pnpm } from './pnpm.mjs';
import { readJson, root, workspaceFolders } from './repository.mjs';
import { runCommand } from './run-command.mjs';

const stamp = join(root, 'node_modules/.virgule-install');

/** Returns a hash of everything that an installation depends on. */
function installKey() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform}`);
  const manifests = workspaceFolders().map((folder) => join(folder, 'package.json'));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name))) {
    hash.update(readFileSync(file));
  }
  for (const file of manifests) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Returns whether each package with dependencies has a node_modules folder. */
function hasModules() {
  return workspaceFolders().every((folder) => {
    const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
    const needed = Object.keys({ ...dependencies, ...devDependencies }).length > 0;
    return !needed || existsSync(join(folder, 'node_modules'));
  });
}

/**
 * Installs the packages of the lockfile, unless they are installed already.
 *
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function install() {
  const key = installKey();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key && hasModules()) {
    return { ok: true, output: 'up to date' };
  }
  const result = await runCommand([
    ...pnpm(),
    'install',
    '--frozen-lockfile',
    // Replaces a folder of another package manager without asking: there is no terminal to answer on.
    '--config.confirm-modules-purge=false',
  ]);
  if (result.ok) writeFileSync(stamp, key);
  return result;
}

/**
 * Builds every package; turbo skips what has not changed.
 *
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function build() {
  const filter = '--filter=./packages/*';
  return runCommand([
    ...pnpm(),
    'exec',
    'turbo',
    'run',
    'build',
    filter,
    '--output-logs=errors-only',
  ]);
}

/**
 * Installs and builds everything that a bot needs, with one line per step. Exits the process if a step
 * fails.
 *
 * @param {NodeJS.WritableStream} out receives the lines; not standard output if that carries results
 */
export async function setUp(out = process.stdout) {
  const steps = { 'install packages': install, build };
  for (const [name, step] of Object.entries(steps)) {
    const startedAt = performance.now();
    out.write(`${name} … `);
    const { ok, output } = await step();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    out.write(ok ? `${seconds} s\n` : `failed after ${seconds} s\n`);
    if (ok) continue;
    console.error(`\n${output.trim()}\n\nSetup failed at: ${name}`);
    process.exit(1);
  }
}

const started = process.argv[1];
if (started && realpathSync(started) === fileURLToPath(import.meta.url)) await setUp();
