import { existsSync } from 'node:fs';
import { installDebian } from './install-debian.mjs';

const places = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'];

/** Returns the path of promtool of Prometheus on this machine, or `undefined`. `PROMTOOL_PATH` takes precedence. */
export function findPromtool() {
  const named = process.env.PROMTOOL_PATH;
  return (named ? [named] : places).find((path) => existsSync(path));
}

/**
 * Finds promtool, or installs the package of Debian. Without it, the test of the alerts fails.
 *
 * @returns {Promise<{ reason?: string }>} `reason` is why there is none
 */
export async function ensurePromtool() {
  if (findPromtool() !== undefined) return {};
  const reason = await installDebian('prometheus');
  return findPromtool() === undefined
    ? {
        reason: `no promtool found (${reason ?? 'not even after its installation'}); install Prometheus, and set PROMTOOL_PATH if it is in an unusual location`,
      }
    : {};
}
