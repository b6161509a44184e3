import './require-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pnpm } from './pnpm.mjs';
import { readJson, root, workspaceFolders } from './repository.mjs';
import { runCommand } from './run-command.mjs';

const stamp = join(root, 'node_modules/.virgule-install');

/** Changes whenever an install could have something to do. */
function installKey() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform}`);
  const manifests = workspaceFolders().map((folder) => join(folder, 'package.json'));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name))) {
    hash.update(readFileSync(file));
  }
  for (const file of manifests) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Whether each package that has dependencies still has its folder of them. */
function hasModules() {
  return workspaceFolders().every((folder) => {
    const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
    const needed = Object.keys({ ...dependencies, ...devDependencies }).length > 0;
    return !needed || existsSync(join(folder, 'node_modules'));
  });
}

/**
 * Installs exactly what the lockfile says, or does nothing when that was done.
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
    // A folder left by another package manager is replaced without a question nobody can answer.
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
 * Everything between a fresh clone and a running bot, with one line a step. Ends the process when a
 * step fails.
 *
 * @param {NodeJS.WritableStream} out Takes the lines; not standard output where that carries results.
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
    console.error(`\n${output.trim()}\n\nSet-up stopped at: ${name}`);
    process.exit(1);
  }
}

const started = process.argv[1];
if (started && realpathSync(started) === fileURLToPath(import.meta.url)) await setUp();
