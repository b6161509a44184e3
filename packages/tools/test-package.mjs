/** `node test-package.mjs`, in the folder of a package: runs its tests of the gate. */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { projectsOf } from './test-tiers.mjs';

const folder = `packages/${basename(process.cwd())}/`;
// create-virgule chooses the package manager that runs it: here, that would be the one of this repository.
for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name];
// Another package is tested at the same time: with more workers, each test takes more CPU time.
const workers = `--maxWorkers=${availableParallelism()}`;
const args = ['run', ...projectsOf('gate'), '--passWithNoTests', workers, folder];
const { ok } = await runCommand([tool('vitest'), ...args], { show: true, timeoutSeconds: 1_800 });
process.exitCode = ok ? 0 : 1;
