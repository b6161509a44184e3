import { existsSync } from 'node:fs';
import { installDebian } from './install-debian.mjs';

const places = [
  '/usr/bin/redis-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
];

/** Returns the path of a redis-server on this machine, or `undefined`. `REDIS_SERVER_PATH` takes precedence. */
export function findRedis() {
  const named = process.env.REDIS_SERVER_PATH;
  return (named ? [named] : places).find((path) => existsSync(path));
}

/**
 * Finds redis-server, or installs the package of Debian. Without it, the tests of packages/redis fail.
 *
 * @returns {Promise<{ reason?: string }>} `reason` is why there is none
 */
export async function ensureRedis() {
  if (findRedis() !== undefined) return {};
  const reason = await installDebian('redis-server');
  return findRedis() === undefined
    ? {
        reason: `no redis-server found (${reason ?? 'not even after its installation'}); install Redis 6.2 or later, and set REDIS_SERVER_PATH if it is in an unusual location`,
      }
    : {};
}
