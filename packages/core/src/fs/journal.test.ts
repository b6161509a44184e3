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
import { createJournal, type Journal } from './journal.js';

const KEY = 'a/b';
const FILE = 'a%2Fb.json';

function openJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
  const start = (path = folder): Journal<{ readonly id: string }> =>
    createJournal({
      folder: path,
      baseUrl: 'https://chat.example',
      maxAgeMs: 86_400_000,
      botUserId: () => 'bot',
      of: 'open things',
      parse: ({ id }) => (typeof id === 'string' ? { id } : undefined),
      log,
    });
  /** The entry of this process, with some keys replaced. */
  const write = (difference: object): void => {
    start().open(KEY, { id: 'x' });
    const entry = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as object;
    writeFileSync(join(folder, FILE), JSON.stringify({ ...entry, ...difference }));
  };
  const left = () =>
    start()
      .left()
      .map(({ facts }) => facts.id);
  return { folder, logged, start, write, left };
}

/** Above every possible id. */
const GONE = 2 ** 30;

describe('createJournal', () => {
  it('has a file while something is open, with its newest facts', () => {
    const { folder, start } = openJournal();
    const journal = start();
    const forgetFirst = journal.open(KEY, { id: 'first' });
    const forgetSecond = journal.open(KEY, { id: 'second' });
    forgetFirst();
    expect(readdirSync(folder)).toEqual([FILE]);
    expect(readFileSync(join(folder, FILE), 'utf8')).toContain('second');
    forgetSecond();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['that is gone', { pid: GONE }],
    ['with the id of this one, as in a container', { started: 'earlier' }],
  ])('returns what a process left %s, once', (_, difference) => {
    const { folder, start, write } = openJournal();
    write(difference);
    const [entry] = start().left();
    expect(entry?.facts).toEqual({ id: 'x' });
    const forget = entry?.claim();
    // Until it is forgotten, it is one of this process: the start after a kill returns it again.
    expect(start().left()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['a%2Fb~.json']);
    forget?.();
    expect(readdirSync(folder)).toEqual([]);
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
    ['another platform', { pid: GONE, baseUrl: 'http://localhost:4000' }],
    ['another bot in this folder', { pid: GONE, bot: 'other' }],
  ])('does not return the entry of %s', (_, difference) => {
    const { folder, write, left } = openJournal();
    write(difference);
    expect(left()).toEqual([]);
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  it('removes what cannot be read, and logs it once', () => {
    const { folder, logged, write, left } = openJournal();
    write({ pid: GONE, id: 1 });
    for (const [name, text] of [
      ['b', '{'],
      ['%zz', 'null'],
    ] as const)
      writeFileSync(join(folder, `${name}.json`), text);
    expect(left()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    expect(logged).toEqual([
      'open things were left by an earlier process in a form that cannot be read',
    ]);
  });

  it('removes the entry of another machine when it is old', () => {
    const { folder, write, left } = openJournal();
    write({ pid: GONE, started: undefined, host: `not ${hostname()}` });
    utimesSync(join(folder, FILE), 0, 0);
    expect(left()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  // Only Linux has the start of a machine.
  it.runIf(process.platform === 'linux')(
    'returns what a container left that had another host name on this machine',
    () => {
      const { write, left } = openJournal();
      write({ pid: GONE, host: `not ${hostname()}` });
      expect(left()).toEqual(['x']);
    },
  );

  it('keeps an entry that was written since the one before was returned', () => {
    const { folder, start, write } = openJournal();
    write({ pid: GONE });
    const journal = start();
    const [entry] = journal.left();
    journal.open(KEY, { id: 'new' });
    expect(entry?.claim()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  it('lets one of two starts claim an entry', () => {
    const { start, write } = openJournal();
    write({ pid: GONE });
    const [[first], [second]] = [start().left(), start().left()];
    expect([first?.claim(), second?.claim()]).toEqual([expect.any(Function), undefined]);
  });

  it('keeps an entry that another process has written since', () => {
    const { folder, start, write } = openJournal();
    const forget = start().open(KEY, { id: 'own' });
    write({ pid: GONE });
    forget();
    const [entry] = start().left();
    write({ pid: process.ppid, started: undefined });
    expect(entry?.claim()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  // Windows has no such rights.
  it.skipIf(process.platform === 'win32')('is for no other account of the machine', () => {
    const { folder, write } = openJournal();
    write({});
    expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
  });

  it('tolerates a folder that cannot be written, and logs it once', () => {
    const { folder, logged, start } = openJournal();
    // A file with the name of the folder: root cannot write to it either.
    writeFileSync(join(folder, 'taken'), '');
    const journal = start(join(folder, 'taken'));
    journal.open('a', { id: 'a' })();
    journal.open('b', { id: 'b' })();
    expect(journal.left()).toEqual([]);
    expect(logged).toEqual(['open things cannot be remembered for the next start']);
  });
});
