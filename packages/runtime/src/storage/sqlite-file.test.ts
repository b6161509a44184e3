import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importSqlite, type SqliteConstructor } from './import-sqlite.js';
import { openSqliteFile } from './sqlite-file.js';
import { createSqliteDriver, sqlite, type SqliteOptions } from './sqlite-storage.js';

function openFolder() {
  const root = mkdtempSync(join(tmpdir(), 'virgule-storage-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const clock = createFakeClock();
  const errors: object[] = [];
  const warnings: string[] = [];
  const log = {
    ...silentLog,
    error: (details: object) => void errors.push(details),
    warn: (_details: object, line: string) => void warnings.push(line),
  };
  const open = (options?: SqliteOptions) => sqlite(options).open({ clock, log, root });
  /** Opens the file with another SQLite. */
  const openWith = (Database: SqliteConstructor) =>
    openSqliteFile({ Database, file: '.virgule/storage.db', root, log, clock }, (database) =>
      createSqliteDriver(database, () => clock.now()),
    );
  /** Opens a file while another process writes to it for a second. */
  async function openDuringWrite(path: string, options?: SqliteOptions) {
    const other = new (await importSqlite())(path);
    other.exec('BEGIN IMMEDIATE');
    const opening = open(options);
    await clock.advance(1_000);
    other.exec('COMMIT');
    other.close();
    await clock.advance(1_000);
    return opening;
  }
  const file = join(root, '.virgule', 'storage.db');
  return { root, file, open, openWith, openDuringWrite, errors, warnings, clock };
}

/** Returns SQLite with a limit for the size of a file. */
async function limitedSqlite(pages: number): Promise<SqliteConstructor> {
  const Database = await importSqlite();
  return class extends Database {
    constructor(path: string) {
      super(path);
      this.exec(`PRAGMA max_page_count = ${pages}`);
    }
  };
}

/** Returns SQLite that opens no file. */
const failingSqlite = (error: Error): SqliteConstructor =>
  class {
    exec(): never {
      throw error;
    }
    prepare = this.exec;
    close(): void {}
  };

/** Writes what is in the file `-wal` to its file, so that this can be copied. */
async function merge(file: string): Promise<void> {
  const database = new (await importSqlite())(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

const code = (name: string) => expect.objectContaining({ code: name });

describe('a deleted entry', () => {
  it('leaves nothing in the file after a stop, as a replaced and an expired one', async () => {
    const { root, open, clock } = openFolder();
    const driver = await open();
    // A long text has pages of its own.
    for (const key of ['deleted', 'replaced', 'expired', 'kept'])
      for (const length of [1, 600])
        await driver.set(
          `${key} ${length}`,
          `${key}-text`.repeat(length),
          key === 'expired' ? 1_000 : null,
        );
    await clock.advance(1_000);
    for (const length of [1, 600]) {
      await driver.delete(`deleted ${length}`);
      await driver.set(`replaced ${length}`, '1', null);
    }
    await driver.close();
    // The first write of a start deletes expired entries.
    const next = await open();
    await next.set('new', '1', null);
    await next.close();
    const folder = join(root, '.virgule');
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    const found = files.join('').match(/(deleted|replaced|expired|kept)-text/g);
    expect(new Set(found)).toEqual(new Set(['kept-text']));
  });
});

describe('the file of a storage', () => {
  it('keeps its entries after it was closed', async () => {
    const { open } = openFolder();
    const first = await open();
    await first.set('a', '1', null);
    await first.close();
    const second = await open();
    expect(await second.get('a')).toBe('1');
    await second.close();
  });

  it('has all entries without its companion files once it was closed', async () => {
    const { root, file, open, warnings } = openFolder();
    const driver = await open();
    const other = await open();
    await driver.set('a', '1', null);
    await other.set('b', '2', null);
    expect(await driver.list({ prefix: '', limit: 9 })).toHaveLength(2);
    await driver.close();
    await other.close();
    copyFileSync(file, join(root, 'backup.db'));
    const backup = await open({ file: 'backup.db' });
    expect(await backup.list({ prefix: '', limit: 9 })).toHaveLength(2);
    await backup.close();
    expect(warnings).toEqual([]);
  });

  it('is created by the first write', async () => {
    const { root, file, open } = openFolder();
    const driver = await open();
    expect(await driver.get('a')).toBeUndefined();
    expect(await driver.list({ prefix: '', limit: 1 })).toEqual([]);
    expect(await driver.delete('a')).toBe(false);
    expect(readdirSync(root)).toEqual([]);
    await driver.set('a', '1', null);
    expect(existsSync(file)).toBe(true);
    expect(await driver.get('a')).toBe('1');
    await driver.close();
  });

  it('is open to two at once, who see what the other wrote', async () => {
    const { open } = openFolder();
    const [one, other] = [await open(), await open()];
    await one.set('a', '0', null);
    const swaps = [one, other, one, other].map((driver, index) =>
      driver.swap('a', '0', `${index}!`, null),
    );
    expect((await Promise.all(swaps)).filter(Boolean)).toHaveLength(1);
    expect(await other.get('a')).toBe(await one.get('a'));
    await one.close();
    await other.close();
  });

  it.each(['.virgule', '.virgule/storage.db'])(
    'is made again if %s is deleted',
    async (deleted) => {
      const { root, open, errors, clock } = openFolder();
      const driver = await open();
      await driver.set('a', '1', null);
      rmSync(join(root, deleted), { recursive: true });
      await clock.advance(1_000);
      expect(await driver.get('a')).toBeUndefined();
      await driver.set('b', '2', null);
      expect(errors).toEqual([{ file: '.virgule/storage.db' }]);
      const other = await open();
      expect(await other.list({ prefix: '', limit: 9 })).toMatchObject([{ key: 'b', value: '2' }]);
      await other.close();
      await clock.advance(1_000);
      await driver.delete('b');
      expect(errors).toHaveLength(1);
      await driver.close();
    },
  );

  it('makes writes wait in their order while another process writes, and blocks nothing', async () => {
    const { file, open, clock } = openFolder();
    const driver = await open();
    await driver.set('a', '1', null);
    const other = new (await importSqlite())(file);
    other.exec('BEGIN IMMEDIATE');
    const writes = ['2', '3'].map((value) => driver.set('a', value, null));
    expect(await driver.get('a')).toBe('1');
    await clock.advance(1_000);
    other.exec('COMMIT');
    await clock.advance(1_000);
    await Promise.all(writes);
    expect(await driver.get('a')).toBe('3');
    // The refused write has left no transaction open: another process can write, and acknowledged values are there.
    await driver.swap('a', '3', '4', null);
    other.exec('BEGIN IMMEDIATE');
    const refusal = driver.set('a', '5', null).catch(String);
    await clock.advance(10_000);
    expect(await refusal).toContain('locked');
    other.close();
    await driver.close();
  });

  it('is opened as soon as another process has written', async () => {
    const { file, open, openDuringWrite } = openFolder();
    const first = await open();
    await first.set('b', '1', null);
    await first.close();
    const driver = await openDuringWrite(file);
    expect(await driver.get('a')).toBeUndefined();
    await driver.close();
  });

  it('is the new one if it is replaced, such as by a backup', async () => {
    const { root, file, open, errors, clock } = openFolder();
    const driver = await open();
    await driver.set('a', '1', null);
    const backup = await open({ file: 'backup.db' });
    await backup.set('a', '2', null);
    await backup.close();
    await merge(join(root, 'backup.db'));
    copyFileSync(join(root, 'backup.db'), join(root, 'copy.db'));
    renameSync(join(root, 'copy.db'), file);
    await clock.advance(1_000);
    expect(await driver.get('a')).toBe('2');
    expect(errors).toEqual([{ file: '.virgule/storage.db' }]);
    await driver.set('b', '3', null);
    await driver.close();
    const later = await open();
    expect(await later.list({ prefix: '', limit: 9 })).toMatchObject([
      { key: 'a', value: '2' },
      { key: 'b', value: '3' },
    ]);
    await later.close();
  });

  // Windows has no such rights.
  it.skipIf(process.platform === 'win32')('is for no other account of the machine', async () => {
    const { root, file, open } = openFolder();
    const driver = await open();
    await driver.set('a', '1', null);
    const files = readdirSync(join(root, '.virgule')).map((name) => join(root, '.virgule', name));
    expect(files).toContain(file);
    expect(new Set(files.map((path) => statSync(path).mode & 0o077))).toEqual(new Set([0]));
    expect(statSync(join(root, '.virgule')).mode & 0o077).toBe(0);
    await driver.close();
  });

  it('is reported when it has 0 bytes, and not when it is new', async () => {
    const { root, open, warnings } = openFolder();
    await (await open()).close();
    expect(warnings).toEqual([]);
    writeFileSync(join(root, 'copy.db'), '');
    const driver = await open({ file: 'copy.db' });
    expect(await driver.list({ prefix: '', limit: 1 })).toEqual([]);
    await driver.close();
    expect(warnings).toEqual([expect.stringContaining('has 0 bytes')]);
  });

  it('is reported once when it has no table, even while another process writes', async () => {
    const { root, file, open, openDuringWrite, warnings } = openFolder();
    const running = await open();
    await running.set('a', '1', null);
    // A copy of the file without the file `-wal`.
    copyFileSync(file, join(root, 'copy.db'));
    await running.close();
    const driver = await openDuringWrite(join(root, 'copy.db'), { file: 'copy.db' });
    expect(await driver.get('a')).toBeUndefined();
    await driver.close();
    expect(warnings).toEqual([expect.stringContaining('has no table')]);
    await (await open({ file: 'copy.db' })).close();
    expect(warnings).toHaveLength(1);
  });

  describe.skipIf(process.getuid?.() !== 0)('of another user, used by root', () => {
    const ownersIn = (folder: string) =>
      readdirSync(folder)
        .toSorted()
        .map((name) => [name, statSync(join(folder, name)).uid]);

    it.each(['.virgule', 'data'])('belongs to this user in the folder %s', async (folder) => {
      const { root, open } = openFolder();
      chownSync(root, 1_000, 1_000);
      const driver = await open({ file: `${folder}/storage.db` });
      await driver.set('a', '1', null);
      expect(ownersIn(root)).toEqual([[folder, 1_000]]);
      expect(ownersIn(join(root, folder))).toEqual([
        ['storage.db', 1_000],
        ['storage.db-shm', 1_000],
        ['storage.db-wal', 1_000],
      ]);
      await driver.close();
    });

    it.each([
      'unable to open database file',
      'ConnectionFailed("Unable to open connection to local database: 14")',
      'attempt to write a readonly database',
    ])('is named with both users after: %s', async (text) => {
      const { file, openWith } = openFolder();
      mkdirSync(join(file, '..'));
      writeFileSync(file, '');
      const opening = () => openWith(failingSqlite(new Error(text)));
      await expect(opening()).rejects.toThrow(new Error(text));
      chownSync(file, 1_000, 1_000);
      await expect(opening()).rejects.toThrow(
        `${text}; the process runs as user 0, and the file belongs to user 1000`,
      );
    });
  });

  it('is kept under another name when it is damaged, and reported', async () => {
    const { root, file, open, errors } = openFolder();
    const damaged = 'not a database '.repeat(1_000);
    mkdirSync(join(root, '.virgule'));
    writeFileSync(file, damaged);
    const driver = await open();
    expect(await driver.get('a')).toBeUndefined();
    await driver.set('a', '1', null);
    await driver.close();
    const [aside = ''] = readdirSync(join(root, '.virgule')).filter((name) =>
      name.includes('.damaged-'),
    );
    expect(readFileSync(join(root, '.virgule', aside), 'utf8')).toBe(damaged);
    expect(errors).toEqual([expect.objectContaining({ kept: expect.stringContaining(aside) })]);
  });

  it('is kept under another name when damage shows later, and nothing more is written to it', async () => {
    const { root, file, open, errors } = openFolder();
    const whole = await open();
    for (let index = 0; index < 200; index += 1)
      await whole.set(`k${index}`, JSON.stringify('x'.repeat(1_000)), null);
    await whole.close();
    await merge(file);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, 3 * 4_096));
    const [driver, other] = [await open(), await open()];
    expect(errors).toEqual([]);
    expect(await driver.list({ prefix: '', limit: 1_000 })).toEqual([]);
    await driver.set('a', '1', null);
    // Another process keeps nothing else aside, and uses the new one.
    expect(await other.list({ prefix: '', limit: 1_000 })).toMatchObject([{ key: 'a' }]);
    const aside = readdirSync(join(root, '.virgule')).filter((name) => /\.damaged-\d+$/.test(name));
    // `toEqual` compares byte by byte, for seconds.
    expect(readFileSync(join(root, '.virgule', String(aside))).equals(bytes)).toBe(true);
    expect(errors).toEqual([
      expect.objectContaining({ kept: expect.stringContaining(String(aside)) }),
    ]);
    await driver.close();
    await other.close();
  });

  it.each([
    ['a newer version', 'PRAGMA user_version = 2', 'E_STORAGE_FILE'],
    ['another program', 'PRAGMA application_id = 7', 'E_STORAGE_FILE'],
  ])('of %s is refused, and not changed', async (_whose, sql, expected) => {
    const { file, open } = openFolder();
    const driver = await open();
    await driver.set('a', '1', null);
    await driver.close();
    const database = new (await importSqlite())(file);
    database.exec(sql);
    const state = () =>
      ['user_version', 'application_id', 'schema_version'].map(
        (name) => database.prepare(`PRAGMA ${name}`).get()?.[name],
      );
    const before = state();
    await expect(open()).rejects.toEqual(code(expected));
    expect(state()).toEqual(before);
    expect(database.prepare('SELECT key, value FROM entries').all()).toHaveLength(1);
    database.close();
  });

  it('reports a full disk; what was stored before is there', async () => {
    const { open, openWith } = openFolder();
    const driver = await open();
    await driver.set('a', '1', null);
    await driver.close();
    const full = await openWith(await limitedSqlite(20));
    const fill = async (): Promise<void> => {
      for (let index = 0; index < 1_000; index += 1)
        await full.set(`k${index}`, JSON.stringify('x'.repeat(1_000)), null);
    };
    await expect(fill()).rejects.toEqual(code('E_STORAGE_FULL'));
    expect(await full.get('a')).toBe('1');
    expect(await full.delete('k0')).toBe(true);
    await full.set('b', '2', null);
    await full.close();
  });

  it('reports a disk that is full at the start', async () => {
    const { file, openWith } = openFolder();
    mkdirSync(join(file, '..'));
    writeFileSync(file, '');
    await expect(openWith(await limitedSqlite(1))).rejects.toEqual(code('E_STORAGE_FULL'));
    // SQLite cannot create the file `-shm`.
    for (const details of [{ errcode: 4874 }, { rawCode: 4874 }]) {
      const error = Object.assign(new Error('disk I/O error'), details);
      await expect(openWith(failingSqlite(error))).rejects.toEqual(code('E_STORAGE_FULL'));
    }
  });

  it('is not created where its folder is a file', async () => {
    const { root, open } = openFolder();
    writeFileSync(join(root, 'data'), '');
    const stored = open({ file: 'data/x.db' }).then((driver) => driver.set('a', '1', null));
    await expect(stored).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(existsSync(join(root, 'data', 'x.db'))).toBe(false);
  });

  it('names what to install where there is no SQLite', async () => {
    const noLibsql = () => Promise.reject(new Error('not found'));
    const importing = importSqlite(noLibsql, () => undefined);
    await expect(importing).rejects.toEqual(code('E_STORAGE_DRIVER'));
  });

  it('is imported without the warning that it is experimental, and hides no other', async () => {
    const { emitWarning } = process;
    onTestFinished(() => void (process.emitWarning = emitWarning));
    const warnings: unknown[] = [];
    const record = (...warning: unknown[]): void => void warnings.push(warning);
    process.emitWarning = record;
    const DatabaseSync: unknown = class {};
    const load = () => {
      process.emitWarning('SQLite is experimental', 'ExperimentalWarning');
      process.emitWarning('Something is old', 'DeprecationWarning');
      return { DatabaseSync: DatabaseSync as SqliteConstructor };
    };
    expect(await importSqlite(undefined, load)).toBe(DatabaseSync);
    expect(warnings).toEqual([['Something is old', 'DeprecationWarning']]);
    expect(process.emitWarning).toBe(record);
  });
});
