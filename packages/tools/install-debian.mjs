import { existsSync } from 'node:fs';
import { runCommand } from './run-command.mjs';

/**
 * Installs packages of Debian, if this is Debian and the user is root.
 *
 * @param {string[]} packages
 * @returns {Promise<string | undefined>} why they were not installed
 */
export async function installDebian(...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return 'not root on Debian';
  console.log(`  installing ${packages.join(' and ')} from Debian`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const commands = [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages],
  ];
  for (const command of commands) {
    // For a mirror that hangs: killing apt while it unpacks leaves the packages of the machine half installed.
    const { ok, output } = await runCommand(command, { env, timeoutSeconds: 1_800 });
    if (!ok) return `${command.join(' ')} failed:\n${output.trim()}`;
  }
  return undefined;
}
