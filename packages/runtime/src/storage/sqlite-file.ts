import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { makeStateFolder, STATE_FILE_MODE, STATE_FOLDER } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { SqliteConstructor, SqliteDatabase } from './import-sqlite.js';
import type { StorageDriver } from './storage-driver.js';

/** How long an operation waits for another process that writes, in milliseconds, and how long between two attempts. */
const BUSY_MS = 5_000;
const PAUSE_MS = 5;
/** How often it is checked whether its file is still there, in milliseconds. */
const CHECK_MS = 1_000;
const FORMAT = 1;
/** Marks the files of a storage: "Virg" in ASCII. */
const APPLICATION_ID = 0x56697267;
/** The result codes of SQLite for a file that is none of its own, or damaged, and one that another process writes. */
const NO_DATABASE = 26;
const CORRUPT = 11;
const BUSY = 5;
/** Its result code for a full disk. */
export const FULL = 13;

export interface SqliteFile {
  readonly Database: SqliteConstructor;
  /** Path of the file, from `root`. */
  readonly file: string;
  /** The folder of the bot. */
  readonly root: string;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Opens a file, and opens it again if it was deleted or replaced: SQLite would continue with the old one, which no name
 * leads to, and lose with the process what it acknowledged. One that is damaged is renamed, reported, and replaced by an
 * empty one.
 */
export async function openSqliteFile(
  place: SqliteFile,
  create: (database: SqliteDatabase) => StorageDriver,
): Promise<StorageDriver> {
  const { file, root, log, clock } = place;
  const path = resolve(root, file);
  let driver: StorageDriver | undefined;
  let id: number | undefined;
  let checkedAtMs = 0;
  let canRename = true;
  /** While another process writes: what is called meanwhile keeps its order. */
  let pause: Promise<void> | undefined;

  function open(): StorageDriver {
    makeFolder(path, root);
    driver = create(openFile(place, path));
    id = idOf(path);
    checkedAtMs = clock.monotonic();
    return driver;
  }

  function close(): void {
    driver?.close().catch(() => {});
    driver = undefined;
  }

  function current(): StorageDriver {
    if (!driver || clock.monotonic() - checkedAtMs < CHECK_MS) return driver ?? open();
    checkedAtMs = clock.monotonic();
    const found = idOf(path);
    if (found === id) return driver;
    const what = found === undefined ? 'deleted: the bot continues with an empty one' : 'replaced';
    log.error({ file }, `the file of the storage was ${what}`);
    close();
    // They are of the old file; SQLite would apply them to the new one.
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    return open();
  }

  /** Renames the file, unless another process has. Returns whether the operation may succeed now. */
  function keepAside(error: unknown): boolean {
    const code = sqliteCode(error);
    if (!canRename || (code !== NO_DATABASE && code !== CORRUPT)) return false;
    canRename = false;
    close();
    if (id !== undefined && idOf(path) !== id) return true;
    const aside = `${path}.damaged-${clock.now()}`;
    renameSync(path, aside);
    for (const end of ['-wal', '-shm']) renameIfPresent(`${path}${end}`, `${aside}${end}`);
    log.error(
      { file, kept: aside, error: errorText(error) },
      'the storage is damaged: it is kept under another name, and the bot continues with an empty one',
    );
    return true;
  }

  async function run<T>(call: (of: StorageDriver) => Promise<T>): Promise<T> {
    const untilMs = clock.monotonic() + BUSY_MS;
    for (;;) {
      if (pause) await pause;
      try {
        return await call(current());
      } catch (error) {
        if (keepAside(error)) continue;
        if (sqliteCode(error) !== BUSY || clock.monotonic() >= untilMs) throw error;
        // SQLite itself would wait in the one thread of the process.
        pause ??= clock.sleep(PAUSE_MS).finally(() => (pause = undefined));
      }
    }
  }

  await run(async () => {});
  return {
    get: (...call) => run((of) => of.get(...call)),
    set: (...call) => run((of) => of.set(...call)),
    swap: (...call) => run((of) => of.swap(...call)),
    delete: (...call) => run((of) => of.delete(...call)),
    list: (...call) => run((of) => of.list(...call)),
    close: async () => driver?.close(),
  };
}

/** Returns what distinguishes a file from another one of the same name; `undefined` if there is none. */
function idOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function makeFolder(path: string, root: string): void {
  const folder = dirname(path);
  if (relative(root, folder) === STATE_FOLDER) makeStateFolder(folder);
  else mkdirSync(folder, { recursive: true });
  // Created here for the owner alone; SQLite creates its other files with the same rights.
  closeSync(openSync(path, 'a', STATE_FILE_MODE));
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // It exists only while the file is open, and after a crash.
  }
}

function openFile({ Database, file }: SqliteFile, path: string): SqliteDatabase {
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 0');
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
export function sqliteCode(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const { errcode, rawCode } = error as { readonly errcode?: unknown; readonly rawCode?: unknown };
  const code = errcode ?? rawCode;
  // The upper bits say more about it.
  return typeof code === 'number' ? code & 0xff : undefined;
}
