import { join } from 'node:path';
import { STATE_FOLDER } from '@virgule/core/fs';
import { importSqlite, rollBack, type SqliteDatabase } from './import-sqlite.js';
import { openSqliteFile } from './sqlite-file.js';
import {
  MAX_KEY_LENGTH,
  type Expiry,
  type StorageDriver,
  type StorageSetting,
} from './storage-driver.js';

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** Path of the file, relative to the folder of the bot. @defaultValue `'.virgule/storage.db'` */
  readonly file?: string | undefined;
  /**
   * Event that an acknowledged write survives: `'process'`, any end of the process; `'power-failure'`, also a power
   * failure, which costs a flush to the disk for each write.
   *
   * @defaultValue `'process'`
   */
  readonly survives?: 'process' | 'power-failure' | undefined;
}

/**
 * Default file of `virgule dev` and `virgule start --preview`. The entries of production are about channels that a simulator
 * does not have, and the tasks of production must not run there.
 */
export const DEVELOPMENT_FILE = join(STATE_FOLDER, 'storage.dev.db');

/** Number of writes between two deletions of expired entries. A deletion removes at most twice as many entries. */
const SWEEP = 200;

/**
 * Stores entries in an SQLite file. Uses `node:sqlite` if Node.js has this module without a flag (22.13 and
 * later), else the package `libsql`, which the bot has to install.
 */
export function sqlite({
  file = join(STATE_FOLDER, 'storage.db'),
  survives = 'process',
}: SqliteOptions = {}): StorageSetting {
  return {
    name: file,
    check: () => importSqlite(),
    async open({ clock, log, root }) {
      const Database = await importSqlite();
      return openSqliteFile({ Database, file, root, log, clock }, (database) => {
        const sync = survives === 'power-failure' ? 'FULL' : 'NORMAL';
        database.exec(`PRAGMA synchronous = ${sync}`);
        return createSqliteDriver(database, () => clock.now());
      });
    },
  };
}

const ALIVE = '(expires_ms IS NULL OR expires_ms > $now)';

export function createSqliteDriver(database: SqliteDatabase, now: () => number): StorageDriver {
  const prepare = (sql: string) => database.prepare(sql);
  const select = prepare(`SELECT value FROM entries WHERE key = $key AND ${ALIVE}`);
  const put = prepare(`INSERT INTO entries (key, value, expires_ms) VALUES ($key, $value, $expires)
    ON CONFLICT (key) DO UPDATE
    SET value = excluded.value, expires_ms = iif($keep, expires_ms, excluded.expires_ms)`);
  const remove = prepare(`DELETE FROM entries WHERE key = $key AND ${ALIVE}`);
  const page = prepare(`SELECT key, value, expires_ms - $now AS left FROM entries
    WHERE key >= $prefix AND key > $after AND key < $end AND ${ALIVE} ORDER BY key LIMIT $limit`);
  const sweep = prepare(`DELETE FROM entries WHERE key IN (
    SELECT key FROM entries WHERE expires_ms IS NOT NULL AND expires_ms <= $now LIMIT $limit)`);
  // The first write deletes entries that expired before this process.
  let writes = -1;

  function get(key: string): string | undefined {
    const row = select.get({ key, now: now() });
    return row && String(row['value']);
  }

  /** Deletes an entry, or replaces it by `to`. Returns whether there was a change. */
  function replace(key: string, to: string | undefined, expiry: Expiry): boolean {
    if (to === undefined) return Number(remove.run({ key, now: now() }).changes) > 0;
    const expires = typeof expiry === 'number' ? now() + expiry : null;
    put.run({ key, value: to, keep: expiry === 'keep' ? 1 : 0, expires });
    return true;
  }

  /** Runs a write in a transaction. Returns its result. */
  function write(change: () => boolean): boolean {
    try {
      // libsql leaves a statement open that waits for a lock outside of a transaction, and nothing is committed afterwards.
      database.exec('BEGIN IMMEDIATE');
      const isChanged = change();
      writes += 1;
      if (writes % SWEEP === 0) sweep.run({ now: now(), limit: 2 * SWEEP });
      database.exec('COMMIT');
      return isChanged;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  return {
    get: async (key) => get(key),
    async set(key, value, expiry) {
      write(() => replace(key, value, expiry));
    },
    async swap(key, from, to, expiry) {
      // An expired entry counts as missing: its expiry is not kept.
      const kept = from === undefined && expiry === 'keep' ? null : expiry;
      return write(() => get(key) === from && (replace(key, to, kept) || from === to));
    },
    delete: async (key) => write(() => replace(key, undefined, null)),
    async list({ prefix, after = '', limit }) {
      const rows = page.all({ prefix, after, end: `${prefix}${AFTER_ALL}`, limit, now: now() });
      return rows.map(({ key, value, left }) => ({
        key: String(key),
        value: String(value),
        expiresInMs: left === null ? null : Number(left),
      }));
    },
    async close() {
      database.close();
    },
  };
}

/** Suffix that sorts after all keys of a prefix, and before all later keys: no key is as long. */
const AFTER_ALL = String.fromCodePoint(0x10ffff).repeat(MAX_KEY_LENGTH);
