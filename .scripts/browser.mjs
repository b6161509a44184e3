import { existsSync } from 'node:fs';
import { runCommand } from './run-command.mjs';

// The shell, which is Chromium without its windows, runs the tests in half the time.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const howToGetChromium =
  'install Chromium or Chrome, and set CHROMIUM_PATH if it is in an unusual location';

/** Returns the path of a Chromium on this machine, or `undefined`. `CHROMIUM_PATH` takes precedence. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  return (named ? [named] : places).find((path) => existsSync(path));
}

/**
 * Finds Chromium, or installs the package of Debian, if this is Debian and the user is root.
 *
 * @returns {Promise<{ path?: string, reason?: string }>} `reason` is why there is none
 */
export async function ensureChromium() {
  const present = findChromium();
  if (present !== undefined) return { path: present };
  if (process.env.CHROMIUM_PATH) {
    return { reason: `CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which does not exist` };
  }
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    return { reason: `no Chromium found; ${howToGetChromium}` };
  }
  console.log('  no Chromium found: installing it from Debian (about 300 MB on disk)');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['chromium-headless-shell', 'fonts-noto-color-emoji'];
  const commands = [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages],
  ];
  for (const command of commands) {
    const { ok, output } = await runCommand(command, { env, timeoutSeconds: 300 });
    if (!ok) return { reason: `${command.join(' ')} failed:\n${output.trim()}` };
  }
  const path = findChromium();
  return path === undefined
    ? { reason: `no Chromium after the installation; ${howToGetChromium}` }
    : { path };
}
