import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { makeStateFolder, STATE_FILE_MODE, STATE_FOLDER } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { rollBack, type SqliteConstructor, type SqliteDatabase } from './import-sqlite.js';
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
/** The ends of the names of the files that SQLite has next to a file. */
const ENDS = ['-wal', '-shm'] as const;

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
  let database: SqliteDatabase | undefined;
  let driver: StorageDriver | undefined;
  let id: number | undefined;
  /** The same of the files next to it. */
  let endIds: readonly (number | undefined)[] = [];
  let checkedAtMs = 0;
  let canRename = true;
  /** While another process writes: what is called meanwhile keeps its order. */
  let pause: Promise<void> | undefined;

  function open(): StorageDriver {
    makeFolder(path, root);
    id = idOf(path);
    database = openFile(place, path);
    driver = create(database);
    endIds = ENDS.map((end) => idOf(`${path}${end}`));
    checkedAtMs = clock.monotonic();
    return driver;
  }

  function close(): void {
    driver?.close().catch(() => {});
    driver = undefined;
    database = undefined;
  }

  function current(): StorageDriver {
    if (!driver || clock.monotonic() - checkedAtMs < CHECK_MS) return driver ?? open();
    const found = idOf(path);
    if (found !== id) {
      if (found !== undefined) removeOldEnds();
      const what =
        found === undefined ? 'deleted: the bot continues with an empty one' : 'replaced';
      log.error({ file }, `the file of the storage was ${what}`);
      close();
      return open();
    }
    checkedAtMs = clock.monotonic();
    return driver;
  }

  /**
   * Removes the files next to the old file: SQLite would apply them to the one that replaced it. Their names may belong to
   * the new file by now, opened by another process. All processes that had the old file open take turns, by its lock.
   */
  function removeOldEnds(): void {
    try {
      database?.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (sqliteCode(error) === BUSY) throw error;
      // One that is damaged has no lock.
    }
    for (const [index, end] of ENDS.entries()) {
      const endId = idOf(`${path}${end}`);
      if (endId !== undefined && endId === endIds[index]) rmSync(`${path}${end}`);
    }
    rollBack(database);
  }

  /** Renames the file, unless another process has. Returns whether the operation may succeed now. */
  function keepAside(error: unknown): boolean {
    const code = sqliteCode(error);
    if (!canRename || (code !== NO_DATABASE && code !== CORRUPT)) return false;
    canRename = false;
    close();
    // While the damaged file has its name, the others are of it.
    const ends = ENDS.map((end) => ({ end, endId: idOf(`${path}${end}`) }));
    const aside = `${path}.damaged-${clock.now()}`;
    if (!renameOwn(path, aside, id)) return true;
    for (const { end, endId } of ends) renameOwn(`${path}${end}`, `${aside}${end}`, endId);
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

  if (statSync(path, { throwIfNoEntry: false })?.size === 0)
    log.warn(
      { file },
      'the file of the storage has 0 bytes, as after a failed copy: the bot begins with an empty storage',
    );
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
  if (idOf(path) === undefined) closeSync(openSync(path, 'a', STATE_FILE_MODE));
}

/** Renames a file unless its name belongs to another one by now. Returns whether it did. */
function renameOwn(from: string, to: string, id: number | undefined): boolean {
  if (id === undefined || idOf(from) !== id) return false;
  try {
    renameSync(from, to);
    if (idOf(to) === id) return true;
    // Another process was faster, and this is its new file.
    renameSync(to, from);
  } catch {
    // It is gone.
  }
  return false;
}

function openFile({ Database, file }: SqliteFile, path: string): SqliteDatabase {
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 0');
    const format = readNumber(database, 'user_version');
    const application = readNumber(database, 'application_id');
    if (format > FORMAT && application === APPLICATION_ID) {
      throw runtimeErrors.E_STORAGE_FILE({ kind: 'newer', file, format, known: FORMAT });
    }
    const isEmpty = readNumber(database, 'schema_version') === 0;
    if (!isEmpty && application !== APPLICATION_ID)
      throw runtimeErrors.E_STORAGE_FILE({ kind: 'foreign', file });
    if (isEmpty) removeEndsOfDeleted(database, path);
    database.exec(`PRAGMA journal_mode = WAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (
        key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER, written_ms INTEGER) WITHOUT ROWID;
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

/**
 * Removes what a file that was deleted has left next to a new one: a process that has it open still uses it, and SQLite
 * would take it for its own. While the new file is empty and locked, no process can have made them for it.
 */
function removeEndsOfDeleted(database: SqliteDatabase, path: string): void {
  database.exec('BEGIN EXCLUSIVE');
  if (statSync(path).size === 0) for (const end of ENDS) rmSync(`${path}${end}`, { force: true });
  database.exec('ROLLBACK');
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
