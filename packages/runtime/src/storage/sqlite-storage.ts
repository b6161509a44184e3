import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { makeStateFolder, STATE_FILE_MODE, STATE_FOLDER } from '@virgule/core/fs';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { importSqlite, type SqliteConstructor, type SqliteDatabase } from './import-sqlite.js';
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
 * The default file of `virgule dev` and `virgule preview`: what production stores is about channels that a simulator does
 * not have, and its tasks are not to run there.
 */
export const DEVELOPMENT_FILE = join(STATE_FOLDER, 'storage.dev.db');

/** How long an operation waits for another process that writes, in milliseconds. */
const BUSY_MS = 2_000;
/** How often it is checked whether its file is still there, in milliseconds. */
const CHECK_MS = 1_000;
const FORMAT = 1;
/** Marks the files of a storage: "Virg" in ASCII. */
const APPLICATION_ID = 0x56697267;
/** Expired entries are deleted after this many writes, at most as many again. */
const SWEEP = 200;
/** The result codes of SQLite for a file that is none of its own, or damaged. */
const NO_DATABASE = 26;
const CORRUPT = 11;
const FULL = 13;

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
    async open({ clock, log, root }) {
      const path = resolve(root, file);
      const Database = await importSqlite();
      return reopening({ path, file, log, clock }, () => {
        makeFolder(path, root);
        const database = openOrKeepAside(Database, { path, file, log, clock });
        const sync = survives === 'power-failure' ? 'FULL' : 'NORMAL';
        database.exec(`PRAGMA synchronous = ${sync}`);
        return createSqliteDriver(database, () => clock.now());
      });
    },
  };
}

/**
 * Opens the file again if it was deleted: SQLite would continue with the old one, which no name leads to, and lose with the
 * process what it acknowledged.
 */
function reopening({ path, file, log, clock }: Place, open: () => StorageDriver): StorageDriver {
  let driver = open();
  let checkedAtMs = clock.monotonic();
  const current = (): StorageDriver => {
    if (clock.monotonic() - checkedAtMs < CHECK_MS) return driver;
    checkedAtMs = clock.monotonic();
    if (existsSync(path)) return driver;
    log.error({ file }, 'the file of the storage was deleted: the bot continues with an empty one');
    void driver.close();
    // They are of the old file; SQLite would apply them to the new one.
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    driver = open();
    return driver;
  };
  return {
    get: async (...call) => current().get(...call),
    set: async (...call) => current().set(...call),
    swap: async (...call) => current().swap(...call),
    delete: async (...call) => current().delete(...call),
    list: async (...call) => current().list(...call),
    close: () => driver.close(),
  };
}

function makeFolder(path: string, root: string): void {
  const folder = dirname(path);
  if (relative(root, folder) === STATE_FOLDER) makeStateFolder(folder);
  else mkdirSync(folder, { recursive: true });
  // Created here for the owner alone; SQLite creates its other files with the same rights.
  closeSync(openSync(path, 'a', STATE_FILE_MODE));
}

interface Place {
  readonly path: string;
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Opens a file. One that is damaged is renamed, reported, and replaced by an empty one. */
function openOrKeepAside(Database: SqliteConstructor, place: Place): SqliteDatabase {
  try {
    return openFile(Database, place);
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== NO_DATABASE && code !== CORRUPT) throw error;
    const aside = `${place.path}.damaged-${place.clock.now()}`;
    renameSync(place.path, aside);
    for (const end of ['-wal', '-shm']) renameIfPresent(`${place.path}${end}`, `${aside}${end}`);
    place.log.error(
      { file: place.file, kept: aside, error: errorText(error) },
      'the storage is damaged: it is kept under another name, and the bot continues with an empty one',
    );
    closeSync(openSync(place.path, 'a', STATE_FILE_MODE));
    return openFile(Database, place);
  }
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // It exists only while the file is open, and after a crash.
  }
}

function openFile(Database: SqliteConstructor, { path, file }: Place): SqliteDatabase {
  const database = new Database(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    const format = readNumber(database, 'user_version');
    const application = readNumber(database, 'application_id');
    if (format > FORMAT && application === APPLICATION_ID) {
      throw runtimeErrors.E_STORAGE_NEWER({ file, format, known: FORMAT });
    }
    const isEmpty = readNumber(database, 'schema_version') === 0;
    if (!isEmpty && application !== APPLICATION_ID) throw runtimeErrors.E_STORAGE_FOREIGN({ file });
    database.exec(`PRAGMA journal_mode = WAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS entries_expiry ON entries (expires_ms) WHERE expires_ms IS NOT NULL;
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT};
      COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function readNumber(database: SqliteDatabase, pragma: string): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);
}

/** Returns the result code of SQLite: 13 for a full disk. */
function sqliteCode(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const { errcode, rawCode } = error as { readonly errcode?: unknown; readonly rawCode?: unknown };
  const code = errcode ?? rawCode;
  // The upper bits say more about it.
  return typeof code === 'number' ? code & 0xff : undefined;
}

const ALIVE = '(expires_ms IS NULL OR expires_ms > $now)';

export function createSqliteDriver(database: SqliteDatabase, now: () => number): StorageDriver {
  const prepare = (sql: string) => database.prepare(sql);
  const select = prepare(`SELECT value FROM entries WHERE key = $key AND ${ALIVE}`);
  const put = prepare(`INSERT INTO entries (key, value, expires_ms) VALUES ($key, $value, $expires)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_ms = excluded.expires_ms`);
  // Over an expired entry, which counts as none.
  const create =
    prepare(`INSERT INTO entries (key, value, expires_ms) VALUES ($key, $value, $expires)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_ms = excluded.expires_ms
    WHERE NOT ${ALIVE}`);
  const replace =
    prepare(`UPDATE entries SET value = $value, expires_ms = iif($keep, expires_ms, $expires)
    WHERE key = $key AND value = $from AND ${ALIVE}`);
  const remove = prepare(`DELETE FROM entries WHERE key = $key AND ${ALIVE}`);
  const removeIf = prepare(`DELETE FROM entries WHERE key = $key AND value = $from AND ${ALIVE}`);
  const page = prepare(`SELECT key, value, expires_ms - $now AS left FROM entries
    WHERE key >= $prefix AND key > $after AND key < $end AND ${ALIVE} ORDER BY key LIMIT $limit`);
  const sweep = prepare(`DELETE FROM entries WHERE key IN (
    SELECT key FROM entries WHERE expires_ms IS NOT NULL AND expires_ms <= $now LIMIT $limit)`);
  let writes = 0;

  /** Runs a statement that writes. Returns whether it changed an entry. */
  function write(
    statement: typeof put,
    parameters: Record<string, string | number | null>,
  ): boolean {
    try {
      const { changes } = statement.run(parameters);
      writes += 1;
      if (writes % SWEEP === 0) sweep.run({ now: now(), limit: 2 * SWEEP });
      return Number(changes) > 0;
    } catch (error) {
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
      write(put, { key, value, expires: expiresAt(expiry) });
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
      const rows = page.all({ prefix, after, end: endOf(prefix), limit, now: now() });
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

const LAST_CODE_POINT = 0x10ffff;

/** Returns a string that is after all keys of a prefix, and before all others that follow it. */
function endOf(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  // The empty prefix: no key is as long as this.
  if (last === undefined) return String.fromCodePoint(LAST_CODE_POINT).repeat(MAX_KEY_LENGTH);
  // Halves of characters are no code points of a key.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
