import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readJson, root } from './repository.mjs';

/** The version that this repository uses, such as `10.34.9`. */
export const pnpmVersion = readJson(join(root, 'package.json')).packageManager.split('@')[1];

const onWindows = process.platform === 'win32';
/** @type {readonly string[] | undefined} */
let found;

/**
 * Returns the command of pnpm: the one on the path if it has the right version, otherwise through npx, which
 * also adds it to the path of its child processes (turbo needs that).
 *
 * @returns {readonly string[]}
 */
export function pnpm() {
  if (found === undefined) {
    const answer = spawnSync('pnpm', ['--version'], {
      cwd: root,
      encoding: 'utf8',
      shell: onWindows,
      // Otherwise, another version of pnpm would download the right one each time.
      env: { ...process.env, npm_config_manage_package_manager_versions: 'false' },
    });
    const present = answer.status === 0 && answer.stdout.trim() === pnpmVersion;
    found = present ? ['pnpm'] : [onWindows ? 'npx.cmd' : 'npx', '-y', `pnpm@${pnpmVersion}`];
  }
  return found;
}
