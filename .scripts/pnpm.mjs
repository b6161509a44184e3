import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readJson, root } from './repository.mjs';

/** The one version this repository uses, such as `10.34.9`. */
export const pnpmVersion = readJson(join(root, 'package.json')).packageManager.split('@')[1];

const onWindows = process.platform === 'win32';
/** @type {readonly string[] | undefined} */
let found;

/**
 * How to call pnpm on this machine: the one on the path when it has the right version, else through
 * npx, which also puts it on the path of what it runs (turbo needs that).
 *
 * @returns {readonly string[]}
 */
export function pnpm() {
  if (found === undefined) {
    const answer = spawnSync('pnpm', ['--version'], {
      cwd: root,
      encoding: 'utf8',
      shell: onWindows,
      // Without this, another version of pnpm would fetch ours by itself, each time.
      env: { ...process.env, npm_config_manage_package_manager_versions: 'false' },
    });
    const present = answer.status === 0 && answer.stdout.trim() === pnpmVersion;
    found = present ? ['pnpm'] : [onWindows ? 'npx.cmd' : 'npx', '-y', `pnpm@${pnpmVersion}`];
  }
  return found;
}
