import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { StorageDriver, StoredEntry } from '@virgule/runtime';
import { runtimeErrors } from '@virgule/runtime/project';
import type { Keys } from '../bus/keys.js';
import { LIST, REMOVE, SWAP } from '../bus/scripts.js';
import { isDisconnected, type Connection } from '../connection/connection.js';

/** How long an operation waits for a connection, in milliseconds. */
const WAIT_MS = 3_000;

export interface RedisDriverOptions {
  readonly connection: Connection;
  readonly keys: Pick<Keys, 'prefix'>;
  readonly clock: Clock;
  readonly close: () => void;
}

/** A Redis that may use no more memory, or cannot write its log to the disk. */
const FULL = /^(OOM|MISCONF)\b/;

/** Returns a connection that rejects with `E_STORAGE_FULL` if Redis takes no writes. */
function reportingFull(connection: Connection): Connection {
  const run: Connection['run'] = (...call) =>
    connection.run(...call).catch((cause: unknown) => {
      throw FULL.test(errorText(cause)) ? runtimeErrors.E_STORAGE_FULL({}, { cause }) : cause;
    });
  return { ...connection, run };
}

/** Creates a driver that stores the entries of a bot in Redis. */
export function createRedisDriver({
  keys,
  clock,
  close,
  ...options
}: RedisDriverOptions): StorageDriver {
  const connection = reportingFull(options.connection);
  const prefix = `${keys.prefix}stored:`;
  const index = `${keys.prefix}stored`;
  const namesOf = (key: string): string[] => [`${prefix}${key}`, index];

  /** Waits for a connection: an operation while Redis restarts succeeds a little later. */
  async function connected(): Promise<void> {
    if (!connection.isConnected()) await settlesWithin(connection.back(), WAIT_MS, clock);
  }

  /** Repeats an operation once that failed with the connection: for those whose result is the same then. */
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
    async delete(key) {
      await connected();
      return (await connection.run(REMOVE, namesOf(key), [key])) === 1;
    },
    async list({ prefix: start, after = '', limit }) {
      const entries: StoredEntry[] = [];
      const isAfterStart = Buffer.compare(Buffer.from(after), Buffer.from(start)) >= 0;
      let from = start === '' ? '-' : `[${start}`;
      if (after !== '' && isAfterStart) from = `(${after}`;
      for (;;) {
        const args = [prefix, start, from, limit - entries.length];
        const reply = await repeatable(() => connection.run(LIST, [index], args));
        const [last, ...texts] = Array.isArray(reply) ? reply : [];
        for (let at = 0; at < texts.length; at += 3) {
          const [key, value, leftMs] = texts.slice(at, at + 3);
          const expiresInMs = Number(leftMs) < 0 ? null : Number(leftMs);
          entries.push({ key: String(key), value: String(value), expiresInMs });
        }
        if (last === '' || entries.length === limit) return entries;
        from = `(${String(last)}`;
      }
    },
    async close() {
      close();
    },
  };
}
