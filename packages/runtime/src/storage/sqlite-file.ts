import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import {
  inheritOwner,
  makeFolder,
  makeStateFolder,
  STATE_FILE_MODE,
  STATE_FOLDER,
} from '@virgule/core/fs';
import { orUndefined } from '@virgule/core/objects';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { SqliteConstructor, SqliteDatabase } from './import-sqlite.js';
import type { OpenStorage, StorageDriver } from './storage-driver.js';

/** Maximum time that an operation waits for a write of another process, and the pause between two attempts, in milliseconds. */
const BUSY_MS = 5_000;
const PAUSE_MS = 5;
/** Interval of checks whether the file was deleted or replaced, in milliseconds. */
const CHECK_MS = 1_000;
const FORMAT = 1;
/** Marks the files of a storage: "Virg" in ASCII. */
const APPLICATION_ID = 0x56697267;
/** Result codes of SQLite: the file is no database, is damaged, or is being written by another process. */
const NO_DATABASE = 26;
const CORRUPT = 11;
const BUSY = 5;
const FULL = 13;
/** Extended result code of SQLite: the file `-shm` cannot grow, which is the first write of a start on a full disk. */
const SHM_SIZE = 4_874;
/** Matches errors of a file that cannot be opened or written. libsql states no code for the former. */
const NO_ACCESS = /^(?:ConnectionFailed|unable to open|attempt to write a readonly)/;
/** Suffixes of the companion files that SQLite keeps next to a file. */
const ENDS = ['-wal', '-shm'] as const;

export interface SqliteFile extends OpenStorage {
  readonly Database: SqliteConstructor;
  /** Path of the file, relative to `root`. */
  readonly file: string;
}

/**
 * Opens a file, and opens it again if it was deleted or replaced: SQLite would continue with the old file, which has no name
 * any more, and lose acknowledged writes at the end of the process. A damaged file is renamed, logged, and replaced by an
 * empty file.
 */
export async function openSqliteFile(
  place: SqliteFile,
  create: (database: SqliteDatabase) => StorageDriver,
): Promise<StorageDriver> {
  const { file, root, log, clock } = place;
  const path = resolve(root, file);
  let driver: StorageDriver | undefined;
  let database: SqliteDatabase | undefined;
  let id: number | undefined;
  let endIds: readonly (number | undefined)[] = [];
  let checkedAtMs = 0;
  let canRename = true;
  /** Pause while another process writes. All operations await it, so that they keep their order. */
  let pause: Promise<void> | undefined;

  function open(): StorageDriver {
    makeFile(path, root);
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
  }

  function current(): StorageDriver {
    if (!driver || clock.monotonic() - checkedAtMs < CHECK_MS) return driver ?? open();
    const found = idOf(path);
    if (found !== id) {
      // SQLite would apply the companion files of the old file to a new one.
      for (const [index, end] of ENDS.entries())
        if (idOf(path + end) === endIds[index]) rmSync(path + end, { force: true });
      const what = found === undefined ? 'deleted; continuing with an empty storage' : 'replaced';
      log.error({ file }, `the file of the storage was ${what}`);
      close();
      return open();
    }
    checkedAtMs = clock.monotonic();
    return driver;
  }

  /** Renames a damaged file, unless another process has renamed it. Returns whether the operation may succeed now. */
  function keepAside(error: unknown): boolean {
    const code = sqliteCode(error);
    if (!canRename || (code !== NO_DATABASE && code !== CORRUPT)) return false;
    canRename = false;
    close();
    if (idOf(path) !== id) return true;
    const aside = `${path}.damaged-${clock.now()}`;
    for (const end of ['', ...ENDS])
      if (existsSync(path + end)) renameSync(path + end, aside + end);
    log.error(
      { file, kept: aside, error: errorText(error) },
      'the file of the storage is damaged: renamed the file, continuing with an empty storage',
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
        if (sqliteCode(error) !== BUSY || clock.monotonic() >= untilMs) throw explain(error, path);
        // A wait inside SQLite would block the main thread.
        pause ??= clock.sleep(PAUSE_MS).finally(() => (pause = undefined));
      }
    }
  }

  if (statSync(path, { throwIfNoEntry: false })?.size === 0)
    warnEmpty(place, 'has 0 bytes, as after a failed copy');
  // Only a write creates the file: a command that reads in a wrong folder leaves nothing there.
  const isThere = (): boolean => driver !== undefined || existsSync(path);
  if (isThere()) await run(async () => {});
  return {
    get: async (...call) => (isThere() ? run((of) => of.get(...call)) : undefined),
    set: (...call) => run((of) => of.set(...call)),
    swap: (...call) => run((of) => of.swap(...call)),
    delete: async (...call) => isThere() && run((of) => of.delete(...call)),
    list: async (...call) => (isThere() ? run((of) => of.list(...call)) : []),
    async close() {
      // libsql would leave the entries in the file `-wal`, and a copy of the file alone would be empty.
      orUndefined(() => database?.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
      await driver?.close();
    },
  };
}

/** Returns the inode of a file, which distinguishes it from another file of the same name; `undefined` if there is no file. */
const idOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

function makeFile(path: string, root: string): void {
  const folder = dirname(path);
  if (relative(root, folder) === STATE_FOLDER) makeStateFolder(folder);
  else makeFolder(folder);
  if (existsSync(path)) return;
  // Companion files of a deleted file: SQLite would apply them to the new file.
  for (const end of ENDS) rmSync(path + end, { force: true });
  // Creates the file with access for the owner only; SQLite creates companion files with the same rights and owner.
  closeSync(openSync(path, 'a', STATE_FILE_MODE));
  inheritOwner(path);
}

const warnEmpty = ({ log, file }: SqliteFile, why: string): void =>
  log.warn({ file }, `the file of the storage ${why}; starting with an empty storage`);

function openFile(place: SqliteFile, path: string): SqliteDatabase {
  const { Database, file } = place;
  const { size } = statSync(path);
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
    database.exec(`PRAGMA journal_mode = WAL;
      PRAGMA secure_delete = ON;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (
        key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS entries_expiry ON entries (expires_ms) WHERE expires_ms IS NOT NULL;
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT};
      COMMIT`);
    if (isEmpty && size > 0)
      warnEmpty(place, 'has no table, as after a copy without its file `-wal`');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const readNumber = (database: SqliteDatabase, pragma: string): number =>
  Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);

/** Returns the error of an operation for its caller: a full disk has its own code, and the file of another user its owner. */
function explain(error: unknown, path: string): unknown {
  if (sqliteCode(error) === FULL) return runtimeErrors.E_STORAGE_FULL({}, { cause: error });
  const owner = orUndefined(() => statSync(path).uid);
  const user = process.getuid?.() ?? owner;
  if (!NO_ACCESS.test(errorText(error)) || owner === undefined || owner === user) return error;
  const whose = `the process runs as user ${user}, and the file belongs to user ${owner}`;
  return new Error(`${errorText(error)}; ${whose}`, { cause: error });
}

/** Returns the result code of SQLite: 13 for a full disk. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode, rawCode }: Readonly<Record<string, unknown>> = Object(error);
  const code = errcode ?? rawCode;
  if (code === SHM_SIZE) return FULL;
  // The upper bits are the extended result code.
  return typeof code === 'number' ? code & 0xff : undefined;
}
