import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../log/log.js';
import { createJournal, type Journal, type JournalOptions } from './journal.js';

interface Facts {
  readonly id: string;
}

function openJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
  const start = (given: Partial<JournalOptions<Facts>> = {}): Journal<Facts> =>
    createJournal({
      folder,
      baseUrl: 'https://chat.example',
      maxAgeMs: 86_400_000,
      botUserId: () => 'bot',
      of: 'open things',
      parse: ({ id }) => (typeof id === 'string' ? { id } : undefined),
      log,
      ...given,
    });
  const files = (): string[] => readdirSync(folder).map((name) => join(folder, name));
  /** The lines of a file, up to the end of its entries. */
  const linesOf = (file: string): Record<string, unknown>[] => {
    const [text = ''] = readFileSync(file, 'utf8').split('\n\n');
    return text.split('\n').map((line) => JSON.parse(line));
  };
  /** Ids of the open entries in all files. */
  const ids = () =>
    files().flatMap((file) =>
      linesOf(file)
        .slice(1)
        .map(({ id }) => id),
    );
  /** Writes the file of a process with one open entry, with replaced keys of its owner or of the entry. */
  const write = (owner: object, entry: object = {}): string => {
    start().open('a', { id: 'x' });
    const [file = ''] = files();
    const [first, second] = linesOf(file);
    const lines = [
      { ...first, ...owner },
      { ...second, ...entry },
    ].map((line) => JSON.stringify(line));
    writeFileSync(file, `${lines.join('\n')}\n\n`);
    return file;
  };
  const left = () =>
    start()
      .left()
      .map(({ facts }) => facts.id);
  return { folder, logged, start, files, ids, write, left };
}

/** Greater than every possible process id. */
const GONE = 2 ** 30;

describe('createJournal', () => {
  it('has what is open in a file, with its newest facts', async () => {
    const { ids, start } = openJournal();
    const journal = start();
    const forgetFirst = journal.open('a', { id: 'first, which is longer' });
    const forgetSecond = journal.open('a', { id: 'second' });
    forgetFirst();
    await journal.written();
    expect(ids()).toEqual(['second']);
    forgetSecond();
    await journal.written();
    expect(ids()).toEqual([]);
  });

  it('writes what changes during a write at once, and after it', async () => {
    const { start } = openJournal();
    const writes: string[] = [];
    const ends: (() => void)[] = [];
    const journal = start({
      overwrite(_, text) {
        writes.push(text);
        return new Promise((resolve) => void ends.push(resolve));
      },
    });
    journal.left();
    const forgets = Array.from({ length: 60 }, (_, id) =>
      journal.open(String(id), { id: `#${id}` }),
    );
    expect(writes).toHaveLength(1);
    expect(writes[0]).toContain('#0');
    ends[0]?.();
    await Promise.resolve();
    expect(writes).toHaveLength(2);
    expect(writes[1]).toContain('#59');
    for (const forget of forgets) forget();
    ends[1]?.();
    await Promise.resolve();
    ends[2]?.();
    await journal.written();
    expect(writes).toHaveLength(3);
    expect(writes[2]).not.toContain('#');
  });

  it('creates its file again if it was removed', async () => {
    const { files, ids, start } = openJournal();
    const journal = start();
    journal.open('a', { id: 'a' });
    rmSync(files()[0] ?? '');
    journal.open('b', { id: 'b' });
    await journal.written();
    expect(ids()).toEqual(['a', 'b']);
  });

  it.each([
    ['that is gone', { pid: GONE }],
    ['with the id of this one, as in a container', { started: 'earlier' }],
  ])('returns what a process left %s, once', async (_, difference) => {
    const { start, ids, write, left } = openJournal();
    write(difference);
    const journal = start();
    const [entry] = journal.left();
    expect(entry?.facts).toEqual({ id: 'x' });
    // The entry belongs to this process until it is forgotten: the start after a kill returns it again.
    expect([left(), ids()]).toEqual([[], ['x']]);
    entry?.forget();
    await journal.written();
    expect(ids()).toEqual([]);
  });

  // Only Linux has the start of other processes.
  it.runIf(process.platform === 'linux')(
    'returns what a process left whose id belongs to another one now',
    () => {
      const { write, left } = openJournal();
      write({ pid: process.ppid });
      expect(left()).toEqual(['x']);
    },
  );

  it.each([
    ['a process that runs', { pid: process.ppid, started: undefined }],
    ['this process', {}],
    ['another machine', { pid: GONE, started: undefined, host: `not ${hostname()}` }],
    ['another container of this machine', { pid: GONE, host: `not ${hostname()}` }],
    ['another platform', { pid: GONE, baseUrl: 'http://localhost:4000' }],
    ['another bot in this folder', { pid: GONE, bot: 'other' }],
  ])('does not return what %s has open', (_, difference) => {
    const { files, write, left } = openJournal();
    const file = write(difference);
    expect(left()).toEqual([]);
    expect(files()).toContain(file);
  });

  it('removes what cannot be read, and logs it once', () => {
    const { folder, logged, files, write, left } = openJournal();
    write({ pid: GONE }, { id: 1 });
    for (const [name, text] of [
      ['b', '{'],
      ['%zz', 'null'],
    ] as const)
      writeFileSync(join(folder, `${name}.jsonl`), text);
    expect(left()).toEqual([]);
    // The file of this process.
    expect(files()).toHaveLength(1);
    expect(logged).toEqual([
      'open things were left by an earlier process in a form that cannot be read',
    ]);
  });

  it('reads what was written before a write was cut', () => {
    const { write, left } = openJournal();
    const file = write({ pid: GONE });
    const text = readFileSync(file, 'utf8').trimEnd();
    writeFileSync(file, `${text}\n{"key":"cut","i`);
    expect(left()).toEqual(['x']);
  });

  it('removes the file of another machine when it is old', () => {
    const { files, write, left } = openJournal();
    const file = write({ pid: GONE, started: undefined, host: `not ${hostname()}` });
    utimesSync(file, 0, 0);
    expect(left()).toEqual([]);
    expect(files()).not.toContain(file);
  });

  it('removes the file of another machine that has nothing open when it is old', () => {
    const { files, start, write } = openJournal();
    const file = write({ pid: GONE, started: undefined, host: `not ${hostname()}` });
    utimesSync(file, 0, 0);
    start({ maxAgeMs: undefined }).left();
    expect(files()).toContain(file);
    const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
    writeFileSync(file, `${first}\n\n`);
    start({ maxAgeMs: undefined }).left();
    expect(files()).toContain(file);
    utimesSync(file, 0, 0);
    start({ maxAgeMs: undefined }).left();
    expect(files()).not.toContain(file);
  });

  it('keeps what was opened since the one before was returned', async () => {
    const { ids, start, write } = openJournal();
    write({ pid: GONE });
    const journal = start();
    const [entry] = journal.left();
    journal.open('a', { id: 'new' });
    entry?.forget();
    await journal.written();
    expect(ids()).toEqual(['new']);
  });

  // Windows has no such rights.
  it.skipIf(process.platform === 'win32')('is for no other account of the machine', () => {
    const { write } = openJournal();
    expect(statSync(write({})).mode & 0o777).toBe(0o600);
  });

  it('tolerates a folder that cannot be written, and logs it once', () => {
    const { folder, logged, start } = openJournal();
    // A file with the name of the folder: root cannot write to it either.
    writeFileSync(join(folder, 'taken'), '');
    const journal = start({ folder: join(folder, 'taken') });
    expect(journal.left()).toEqual([]);
    journal.open('a', { id: 'a' })();
    journal.open('b', { id: 'b' })();
    expect(logged).toEqual(['open things cannot be remembered for the next start']);
  });
});
