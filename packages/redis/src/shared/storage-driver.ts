import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { StorageDriver, StoredEntry } from '@virgule/runtime';
import { runtimeErrors } from '@virgule/runtime/errors';
import type { Keys } from '../bus/keys.js';
import { asList, isDisconnected, type Connection } from '../connection/connection.js';

/** Time that an operation waits for a connection, in milliseconds. */
const WAIT_MS = 3_000;

/**
 * Writes or deletes an entry. KEYS: entry, index. ARGV: prefix of entries, key, expectation ('any', 'none' or 'one'),
 * expected value, new state ('none' or 'one'), new value, expiry: '' for none, 'keep', or milliseconds. Returns 1 if the
 * expectation was met and, without one, a deleted entry existed, else 0.
 */
const SWAP = `
local value, expiry = ARGV[6], ARGV[7]
local current = redis.call('GET', KEYS[1])
if ARGV[3] == 'one' and current ~= ARGV[4] or ARGV[3] == 'none' and current then return 0 end
if ARGV[5] == 'none' then
  redis.call('ZREM', KEYS[2], ARGV[2])
  return redis.call('DEL', KEYS[1]) == 1 and 1 or ARGV[3] == 'any' and 0 or 1
end
if expiry == '' then redis.call('SET', KEYS[1], value)
elseif expiry == 'keep' then redis.call('SET', KEYS[1], value, 'KEEPTTL')
else redis.call('SET', KEYS[1], value, 'PX', expiry) end
redis.call('ZADD', KEYS[2], 0, ARGV[2])
-- Each write drops a few expired keys from the index, which so stays below about twice the number of entries.
for _, key in ipairs(redis.call('ZRANDMEMBER', KEYS[2], 2)) do
  if redis.call('EXISTS', ARGV[1] .. key) == 0 then redis.call('ZREM', KEYS[2], key) end
end
return 1
`;

/**
 * Adds to a count. KEYS: entry. ARGV: 1 or -1, limit, window in ms. Returns 0, or for a full count the rest of the
 * window in ms. A count that lasts longer than a window, since the clock of Redis was set back, is shortened to one.
 */
const COUNT = `
if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
local count = tonumber(redis.call('GET', KEYS[1]) or 0) or 0
local next = count + ARGV[1]
if ARGV[1] == '1' and next > tonumber(ARGV[2]) then return math.max(1, redis.call('PTTL', KEYS[1])) end
if next < 1 then redis.call('DEL', KEYS[1])
elseif count == 0 then redis.call('SET', KEYS[1], next, 'PX', ARGV[3])
else redis.call('SET', KEYS[1], next, 'KEEPTTL') end
return 0
`;

/**
 * Lists entries in the order of their keys. KEYS: index. ARGV: prefix of entries, prefix of keys, lower bound as in
 * ZRANGEBYLEX, limit. Returns the last key that was read ('' after the last entry), then for each entry its key, its
 * value and the time to its expiry in ms (-1 for none).
 */
const LIST = `
-- A script blocks Redis, and any number of entries may have expired: so the number of keys is bounded.
local most = math.min(1000, 100 + ARGV[4])
local to = ARGV[2] == '' and '+' or '(' .. ARGV[2] .. string.char(255)
local keys = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], to, 'LIMIT', 0, most)
local found = { #keys == most and keys[most] or '' }
for _, key in ipairs(keys) do
  if #found > 3 * ARGV[4] then break end
  local value = redis.call('GET', ARGV[1] .. key)
  if not value then
    redis.call('ZREM', KEYS[1], key)
  else
    found[#found + 1] = key
    found[#found + 1] = value
    found[#found + 1] = redis.call('PTTL', ARGV[1] .. key)
  end
end
return found
`;

export interface RedisDriverOptions {
  readonly connection: Connection;
  readonly keys: Pick<Keys, 'prefix'>;
  readonly clock: Clock;
}

/** Message of an error of Redis that is out of memory, or cannot write its log to the disk. */
const FULL = /^(Redis is full|MISCONF)\b/;

/** Returns a connection that rejects with `E_STORAGE_FULL` while Redis refuses writes. */
function reportingFull(connection: Connection): Connection {
  const run: Connection['run'] = (...call) =>
    connection.run(...call).catch((cause: unknown) => {
      throw FULL.test(errorText(cause)) ? runtimeErrors.E_STORAGE_FULL({}, { cause }) : cause;
    });
  return { ...connection, run };
}

/** Returns a driver that leaves the connection open, since others may use it. */
export function createRedisDriver({ keys, clock, ...options }: RedisDriverOptions): StorageDriver {
  const connection = reportingFull(options.connection);
  const prefix = `${keys.prefix}stored:`;
  const index = `${keys.prefix}stored`;
  const namesOf = (key: string): string[] => [`${prefix}${key}`, index];

  /** Waits for a connection: an operation while Redis restarts succeeds a little later. */
  async function connected(): Promise<void> {
    if (!connection.isConnected()) await settlesWithin(connection.back(), WAIT_MS, clock);
  }

  /** Runs an idempotent operation, and once more if it failed with the connection. */
  async function repeatable<T>(operation: () => Promise<T>): Promise<T> {
    await connected();
    try {
      return await operation();
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      await settlesWithin(connection.back(), WAIT_MS, clock);
      return operation();
    }
  }

  return {
    async get(key) {
      const value = await repeatable(() => connection.call('GET', `${prefix}${key}`));
      return typeof value === 'string' ? value : undefined;
    },
    async set(key, value, expiry) {
      const args = [prefix, key, 'any', '', 'one', value, expiry ?? ''];
      await repeatable(() => connection.run(SWAP, namesOf(key), args));
    },
    async swap(key, from, to, expiry) {
      await connected();
      const texts = [from, to].flatMap((text) =>
        text === undefined ? ['none', ''] : ['one', text],
      );
      const args = [prefix, key, ...texts, expiry ?? ''];
      return (await connection.run(SWAP, namesOf(key), args)) === 1;
    },
    async count(key, change, { limit, everyMs }) {
      await connected();
      // A count expires by itself, so no index lists it.
      return Number(await connection.run(COUNT, [`${prefix}${key}`], [change, limit, everyMs]));
    },
    async delete(key) {
      await connected();
      const args = [prefix, key, 'any', '', 'none', '', ''];
      return (await connection.run(SWAP, namesOf(key), args)) === 1;
    },
    async list({ prefix: start, after = '', limit }) {
      const entries: StoredEntry[] = [];
      const isAfterStart = Buffer.compare(Buffer.from(after), Buffer.from(start)) >= 0;
      let from = start === '' ? '-' : `[${start}`;
      if (after !== '' && isAfterStart) from = `(${after}`;
      for (;;) {
        const args = [prefix, start, from, limit - entries.length];
        const reply = await repeatable(() => connection.run(LIST, [index], args));
        const [last, ...texts] = asList(reply);
        for (let at = 0; at < texts.length; at += 3) {
          const [key, value, leftMs] = texts.slice(at, at + 3);
          const expiresInMs = Number(leftMs) < 0 ? null : Number(leftMs);
          entries.push({ key: String(key), value: String(value), expiresInMs });
        }
        if (last === '' || entries.length === limit) return entries;
        from = `(${String(last)}`;
      }
    },
    close: async () => {},
  };
}
