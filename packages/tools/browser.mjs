import { existsSync } from 'node:fs';
import { installDebian } from './install-debian.mjs';

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
  const reason = await installDebian('chromium-headless-shell', 'fonts-noto-color-emoji');
  if (reason !== undefined) return { reason: `no Chromium found (${reason}); ${howToGetChromium}` };
  const path = findChromium();
  return path === undefined
    ? { reason: `no Chromium after the installation; ${howToGetChromium}` }
    : { path };
}
