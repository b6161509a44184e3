/** `node test-package.mjs`, in the folder of a package: runs its tests of the gate. */
import { basename } from 'node:path';
import { tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { projectsOf } from './test-tiers.mjs';

const folder = `packages/${basename(process.cwd())}/`;
// create-virgule chooses the package manager that runs it: here, that would be the one of this repository.
for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name];
const args = ['run', ...projectsOf('gate'), '--passWithNoTests', folder];
const { ok } = await runCommand([tool('vitest'), ...args], { show: true, timeoutSeconds: 1_800 });
process.exitCode = ok ? 0 : 1;
