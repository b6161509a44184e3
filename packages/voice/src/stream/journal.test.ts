import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { packetsOf } from '../../test/playing.js';
import { createJournal, type Journal } from './journal.js';

describe('the journal', () => {
  const folderOf = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'voice-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const log: Log = { ...silentLog, warn: (_fields, line) => expect.unreachable(line) };
  const openWith = (journal: Journal, openIngress?: () => Promise<void>) =>
    openFakePlatform({ clock: createFakeClock(), journal, ...(openIngress && { openIngress }) });
  /** An entry of a process that is gone: its id is above every possible one. */
  const entry = { channelId: CHANNEL, pid: 2 ** 30, startedMs: 0, host: hostname() };

  const leftIn = (folder: string) =>
    createJournal(folder, { log })
      .left()
      .map(({ channelId }) => channelId);

  /** One of this process, and this start of the machine. */
  const ownEntry = (folder: string): object => {
    createJournal(folder, { log }).opened(CHANNEL);
    return JSON.parse(readFileSync(join(folder, `${CHANNEL}.json`), 'utf8')) as object;
  };

  it('has an entry while an ingress is open', async () => {
    const folder = folderOf();
    const platform = openWith(createJournal(folder, { log }));
    const stream = await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(readdirSync(folder)).toEqual([`${CHANNEL}.json`]);
    await stream.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('closes what a process of this machine has left, before it opens another one', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'a.json'), JSON.stringify(entry));
    const platform = openWith(createJournal(folder, { log }));
    await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(platform.calls.slice(0, 2)).toEqual([`close ${CHANNEL}`, 'open']);
    await platform.voice.close();
  });

  it('closes what was left before the machine was restarted, though another process has that id', () => {
    const folder = folderOf();
    const path = join(folder, `${CHANNEL}.json`);
    const own = ownEntry(folder);
    writeFileSync(path, JSON.stringify({ ...own, pid: process.ppid }));
    expect(leftIn(folder)).toEqual([]);
    writeFileSync(path, JSON.stringify({ ...own, pid: process.ppid, bootId: 'earlier' }));
    expect(leftIn(folder)).toEqual([CHANNEL]);
  });

  it('remembers what could not be closed, for the start after that', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, `${CHANNEL}.json`), JSON.stringify(entry));
    const clock = createFakeClock();
    const onClose = () => Promise.reject(new Error('down'));
    openFakePlatform({ clock, journal: createJournal(folder, { log }), onClose });
    await clock.advance(0);
    expect(leftIn(folder)).toEqual([CHANNEL]);
  });

  it('closes what an earlier process with the same id has left, as in a container', () => {
    const folder = folderOf();
    const path = join(folder, `${CHANNEL}.json`);
    writeFileSync(path, JSON.stringify({ ...ownEntry(folder), startedMs: 0 }));
    expect(leftIn(folder)).toEqual([CHANNEL]);
  });

  it('keeps the entry of an ingress that was opened before the close of an earlier one is over', () => {
    const folder = folderOf();
    writeFileSync(join(folder, `${CHANNEL}.json`), JSON.stringify(entry));
    const journal = createJournal(folder, { log });
    const [left] = journal.left();
    const closedFirst = journal.opened(CHANNEL);
    left?.closed();
    expect(readdirSync(folder)).toHaveLength(1);
    const closedSecond = journal.opened(CHANNEL);
    closedFirst();
    expect(readdirSync(folder)).toHaveLength(1);
    closedSecond();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has the entry before the ingress is opened, and none when it is refused', async () => {
    const folder = folderOf();
    const during: string[][] = [];
    const platform = openWith(createJournal(folder, { log }), async () => {
      during.push(readdirSync(folder));
      throw new Error('refused');
    });
    await expect(platform.voice.stream(CHANNEL, packetsOf(10))).rejects.toThrow('refused');
    expect(during).toEqual([[`${CHANNEL}.json`]]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a process that runs', { pid: process.ppid }],
    ['this process', {}],
    ['another machine', { pid: 2 ** 30, host: 'other' }],
    ['another platform', { pid: 2 ** 30, baseUrl: 'http://localhost:4000' }],
    ['an unknown form', { pid: 2 ** 30, channelId: 1 }],
  ])('leaves the entries of %s alone', (_name, difference) => {
    const folder = folderOf();
    const path = join(folder, `${CHANNEL}.json`);
    writeFileSync(path, JSON.stringify({ ...ownEntry(folder), ...difference }));
    writeFileSync(join(folder, 'b.json'), '{');
    expect(leftIn(folder)).toEqual([]);
  });
});
