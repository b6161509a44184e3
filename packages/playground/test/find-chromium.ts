import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The browser to test in: `CHROMIUM_PATH`, or where Debian puts it. Without one the browser tests
 * are left out with a word about it, and fail where nothing may be left out.
 */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  const path = [...(named === undefined ? [] : [named]), ...PLACES].find((place) =>
    existsSync(place),
  );
  if (path !== undefined) return path;
  const how = 'No Chromium found: set CHROMIUM_PATH, or run "apt-get install chromium".';
  if (process.env['CI'] === 'true') throw new Error(how);
  console.warn(`${how} The browser tests are skipped.`);
  return null;
}
