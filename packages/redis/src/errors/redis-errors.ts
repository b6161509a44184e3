import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';

/** Every error code of this package. Codes never change once published. */
export const redisErrors = defineErrors({
  // Group: Scaling
  /**
   * The URL of Redis is missing or invalid, or Redis refused the login.
   *
   * The URL of Redis is missing or invalid. `scale: redis()` connects to `REDIS_URL` of the environment or of an `.env`
   * file.
   *
   * Redis refused the login. The URL lacks the password, its user or password is wrong, or the user may not run the
   * commands that Virgule needs.
   *
   * @example
   * Error [E_REDIS_URL] Cannot read the URL of Redis: REDIS_URL is not set.
   * Try:  Set REDIS_URL to redis://[user:password@]host[:port][/database], or rediss:// with TLS.
   *
   * Error [E_REDIS_URL] Redis at redis.internal:6379 refused the login: WRONGPASS invalid username-password pair or user is disabled.
   * Try:  Check the user and the password in the URL: redis://user:password@host:6379.
   *
   * @fix
   * - Set `REDIS_URL`, or pass the URL: `redis({ url: 'redis://localhost:6379' })`. A password belongs in the
   *   environment.
   * - Take the URL from the environment, such as `redis({ url: env.REDIS_URL })`, and check its value.
   * - With access rules (ACL), allow the user all commands on the keys `virgule:*`.
   */
  E_REDIS_URL: userErrorByKind<
    { kind: 'url'; reason: string } | { kind: 'refused'; address: string; reason: string }
  >({
    url: ({ reason }) => [
      `Cannot read the URL of Redis: ${reason}.`,
      'Set REDIS_URL to redis://[user:password@]host[:port][/database], or rediss:// with TLS.',
    ],
    refused: ({ address, reason }) => [
      `Redis at ${address} refused the login: ${reason}.`,
      'Check the user and the password in the URL: redis://user:password@host:6379.',
    ],
  }),
  /**
   * Redis cannot be reached at the start.
   *
   * The configuration has `scale: redis({ url })` or a storage in Redis, and a process could not connect to this Redis. A
   * later outage of Redis does not end a process: the gateway keeps events in memory until Redis is back.
   *
   * @example
   * Error [E_REDIS_UNREACHABLE] Redis at redis.internal:6379 cannot be reached: connect ECONNREFUSED 10.0.0.7:6379.
   * Try:  Start Redis or check the URL, which begins with rediss:// for TLS. With `scale`, --wait waits for Redis.
   *
   * @fix
   * - Start Redis, or correct the host and port of the URL.
   * - A timeout or ECONNRESET may come from TLS on one side only: begin the URL with `rediss://` for a port with TLS, and with
   *   `redis://` for one without. For a certificate of a private authority, set `NODE_EXTRA_CA_CERTS`.
   * - If Redis is loading its data, such as after a crash with a large file, start the bot again later. A start waits
   *   for 5 seconds.
   * - With `scale`, pass `--wait` if Redis starts together with the bot, such as after a restart of the machine.
   */
  E_REDIS_UNREACHABLE: userError<{ address: string; reason: string }>(({ address, reason }) => [
    `Redis at ${address} cannot be reached: ${reason}.`,
    'Start Redis or check the URL, which begins with rediss:// for TLS. With `scale`, --wait waits for Redis.',
  ]),
  /**
   * Redis is too old, or deletes keys when it is full.
   *
   * Commands wait in Redis until a worker has answered them. A Redis that evicts keys would silently lose commands.
   * Virgule needs Redis 6.2 or later, or Valkey.
   *
   * @example
   * Error [E_REDIS_UNSUITABLE] Redis at redis.internal:6379 cannot be used: a maxmemory-policy of allkeys-lru deletes waiting commands when Redis is full.
   * Try:  Set `maxmemory-policy noeviction` in redis.conf, or use a separate Redis for the bot.
   *
   * @fix
   * - Set `maxmemory-policy noeviction`. Do not share the Redis of a cache with a bot.
   * - Set `appendonly yes` and `appendfsync always`. Without these settings, a crash of Redis loses commands, and the
   *   start logs a warning.
   * - Update a Redis that is older than 6.2.
   */
  E_REDIS_UNSUITABLE: userError<{ address: string; reason: string; fix: string }>(
    ({ address, reason, fix }) => [`Redis at ${address} cannot be used: ${reason}.`, fix],
  ),
});
