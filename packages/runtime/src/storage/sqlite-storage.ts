import { join } from 'node:path';
import { STATE_FOLDER } from '@virgule/core/fs';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { importSqlite, rollBack, type SqliteDatabase } from './import-sqlite.js';
import { FULL, openSqliteFile, sqliteCode } from './sqlite-file.js';
import {
  MAX_KEY_LENGTH,
  type Expiry,
  type StorageDriver,
  type StorageSetting,
} from './storage-driver.js';

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** Path of the file, from the folder of the bot. @defaultValue `'.virgule/storage.db'` */
  readonly file?: string | undefined;
  /**
   * What an acknowledged write survives: the end of the process, however sudden, or also a power failure, which costs a
   * write to the disk each time.
   *
   * @defaultValue `'process'`
   */
  readonly survives?: 'process' | 'power-failure' | undefined;
}

/**
 * The default file of `virgule dev` and `virgule start --preview`: what production stores is about channels that a simulator does
 * not have, and its tasks are not to run there.
 */
export const DEVELOPMENT_FILE = join(STATE_FOLDER, 'storage.dev.db');

/** Expired entries are deleted after this many writes, at most as many again. */
const SWEEP = 200;

/**
 * Stores entries in an SQLite file. Uses `node:sqlite` where Node.js has it without a flag (22.13 and
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

export function createSqliteDriver(
  database: SqliteDatabase,
  readClock: () => number,
): StorageDriver {
  const prepare = (sql: string) => database.prepare(sql);
  const select = prepare(`SELECT value FROM entries WHERE key = $key AND ${ALIVE}`);
  const insert = `INSERT INTO entries (key, value, expires_ms, written_ms) VALUES ($key, $value, $expires, $now)
    ON CONFLICT (key) DO UPDATE
    SET value = excluded.value, expires_ms = excluded.expires_ms, written_ms = excluded.written_ms`;
  const put = prepare(insert);
  // Over an expired entry, which counts as none.
  const create = prepare(`${insert} WHERE NOT ${ALIVE}`);
  const replace =
    prepare(`UPDATE entries SET value = $value, expires_ms = iif($keep, expires_ms, $expires),
    written_ms = iif($keep, written_ms, $now) WHERE key = $key AND value = $from AND ${ALIVE}`);
  const remove = prepare(`DELETE FROM entries WHERE key = $key AND ${ALIVE}`);
  const removeIf = prepare(`DELETE FROM entries WHERE key = $key AND value = $from AND ${ALIVE}`);
  const page = prepare(`SELECT key, value, expires_ms - $now AS left FROM entries
    WHERE key >= $prefix AND key > $after AND key < $end AND ${ALIVE} ORDER BY key LIMIT $limit`);
  const sweep = prepare(`DELETE FROM entries WHERE key IN (
    SELECT key FROM entries WHERE expires_ms IS NOT NULL AND expires_ms <= $now LIMIT $limit)`);
  /** Entries that a clock wrote which was ahead: no more of their time is left than they had. */
  const settle =
    prepare(`UPDATE entries SET expires_ms = $now + expires_ms - written_ms, written_ms = $now
    WHERE expires_ms IS NOT NULL AND written_ms > $now`);
  let writes = 0;
  let latestMs = Infinity;

  /** Reads the clock. If it was set back, or this is the first time, entries of the future are settled. */
  function now(): number {
    const ms = readClock();
    if (ms < latestMs) settle.run({ now: ms });
    latestMs = ms;
    return ms;
  }

  /** Runs a statement that writes. Returns whether it changed an entry. */
  function write(
    statement: typeof put,
    parameters: Record<string, string | number | null>,
  ): boolean {
    try {
      // A statement that waits for a lock by itself is left open by libsql, and then nothing is committed any more.
      database.exec('BEGIN IMMEDIATE');
      const { changes } = statement.run(parameters);
      writes += 1;
      if (writes % SWEEP === 0) sweep.run({ now: now(), limit: 2 * SWEEP });
      database.exec('COMMIT');
      return Number(changes) > 0;
    } catch (error) {
      rollBack(database);
      throw sqliteCode(error) === FULL ? runtimeErrors.E_STORAGE_FULL({}, { cause: error }) : error;
    }
  }

  const expiresAt = (expiry: Expiry): number | null =>
    typeof expiry === 'number' ? now() + expiry : null;

  return {
    async get(key) {
      const row = select.get({ key, now: now() });
      return row === undefined ? undefined : String(row['value']);
    },
    async set(key, value, expiry) {
      write(put, { key, value, expires: expiresAt(expiry), now: now() });
    },
    async swap(key, from, to, expiry) {
      if (from === undefined) {
        if (to === undefined) return select.get({ key, now: now() }) === undefined;
        return write(create, { key, value: to, expires: expiresAt(expiry), now: now() });
      }
      if (to === undefined) return write(removeIf, { key, from, now: now() });
      const expires = expiresAt(expiry);
      const keep = expiry === 'keep' ? 1 : 0;
      return write(replace, { key, from, value: to, keep, expires, now: now() });
    },
    delete: async (key) => write(remove, { key, now: now() }),
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

/** After all keys of a prefix, and before all others that follow it: no key is as long as this. */
const AFTER_ALL = String.fromCodePoint(0x10ffff).repeat(MAX_KEY_LENGTH);
