import { errorText, type VirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { redisErrors } from '../errors/redis-errors.js';
import { asList, valueOf, type Connection } from './connection.js';

/** Returns the address of Redis without its user and password. */
export function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

/**
 * Checks the version and the settings of Redis. Logs a warning for a setting that risks losses in a crash.
 *
 * @throws VirguleError `E_REDIS_UNSUITABLE` for a version before 6.2, or a Redis that evicts keys when it is full.
 */
export async function checkServer(connection: Connection, address: string, log: Log) {
  const info = String(await connection.call('INFO', 'server'));
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    const reason = `version ${version} is too old, 6.2 or later is needed`;
    throw redisErrors.E_REDIS_UNSUITABLE({ address, reason, fix: 'Update Redis, or use Valkey.' });
  }
  const policy = await setting(connection, 'maxmemory-policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw redisErrors.E_REDIS_UNSUITABLE({
      address,
      reason: `a maxmemory-policy of ${policy} deletes waiting commands when Redis is full`,
      fix: 'Set `maxmemory-policy noeviction` in redis.conf, or use a separate Redis for the bot.',
    });
  for (const [name, safe] of Object.entries({ appendonly: 'yes', appendfsync: 'always' })) {
    const value = await setting(connection, name);
    if (value === undefined || value === safe) continue;
    const message = `${name} is ${value} in Redis: a crash loses the newest commands and stored values; set \`appendonly yes\` and \`appendfsync always\``;
    log.warn({ address }, message);
    return;
  }
}

/** Returns a setting; `undefined` if a hosted Redis does not show it. */
async function setting(connection: Connection, name: string): Promise<string | undefined> {
  const reply = await connection.call('CONFIG', 'GET', name).catch(() => null);
  const value = valueOf(asList(reply), name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the error of a connection that could not be opened. */
export function connectError(error: unknown, address: string): VirguleError {
  const text = errorText(error).replace(/\.+$/, '');
  const reason = text.startsWith('Unknown RESP type') ? 'what answers is not Redis' : text;
  const context = { cause: error };
  return /WRONGPASS|NOAUTH|NOPERM|invalid password/i.test(reason)
    ? redisErrors.E_REDIS_URL({ kind: 'refused', address, reason }, context)
    : redisErrors.E_REDIS_UNREACHABLE({ address, reason }, context);
}
