import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { packetsOf } from '../../test/playing.js';
import { createVoiceJournal, type VoiceJournal } from './journal.js';

describe('the journal', () => {
  const folderOf = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'voice-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const log: Log = { ...silentLog, warn: (_fields, line) => expect.unreachable(line) };
  const openWith = (journal: VoiceJournal, openIngress?: () => Promise<void>) =>
    openFakePlatform({ clock: createFakeClock(), journal, ...(openIngress && { openIngress }) });
  /** An entry of a process that is gone: its id is above every possible one. */
  const entry = { channelId: CHANNEL, pid: 2 ** 30, startedMs: 0, host: hostname() };

  it('has an entry while an ingress is open', async () => {
    const folder = folderOf();
    const platform = openWith(createVoiceJournal(folder, { log }));
    const stream = await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(readdirSync(folder)).toEqual([`${CHANNEL}.json`]);
    await stream.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('closes what a process of this machine has left, before it opens another one', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'a.json'), JSON.stringify(entry));
    const platform = openWith(createVoiceJournal(folder, { log }));
    await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(platform.calls.slice(0, 2)).toEqual([`close ${CHANNEL}`, 'open']);
    await platform.voice.close();
  });

  it('remembers what could not be closed, for the start after that', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, `${CHANNEL}.json`), JSON.stringify(entry));
    const clock = createFakeClock();
    const onClose = () => Promise.reject(new Error('down'));
    openFakePlatform({ clock, journal: createVoiceJournal(folder, { log }), onClose });
    await clock.advance(0);
    // It is one of this process until then.
    expect(readdirSync(folder)).toEqual([`${CHANNEL}~.json`]);
  });

  it('has the entry before the ingress is opened, and none when it is refused', async () => {
    const folder = folderOf();
    const during: string[][] = [];
    const platform = openWith(createVoiceJournal(folder, { log }), async () => {
      during.push(readdirSync(folder));
      throw new Error('refused');
    });
    await expect(platform.voice.stream(CHANNEL, packetsOf(10))).rejects.toThrow('refused');
    expect(during).toEqual([[`${CHANNEL}.json`]]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has an entry while the bot is in a channel, also when it cannot leave', async () => {
    const folder = folderOf();
    const journal = createVoiceJournal(folder, { log });
    const platform = openWith(journal);
    const joined = await platform.voice.join(CHANNEL);
    expect(readdirSync(folder)).toEqual([`seat-${CHANNEL}.json`]);
    await joined.leave();
    expect(readdirSync(folder)).toEqual([]);
    const clock = createFakeClock();
    const onLeave = () => Promise.reject(new Error('down'));
    const stuck = openFakePlatform({ clock, journal, onLeave });
    await expect((await stuck.voice.join(CHANNEL)).leave()).rejects.toThrow('down');
    expect(readdirSync(folder)).toEqual([`seat-${CHANNEL}.json`]);
  });

  it('leaves the channel that a process of this machine has not left, before it enters another one', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'seat.json'), JSON.stringify({ ...entry, isSeat: true }));
    const platform = openWith(createVoiceJournal(folder, { log }));
    await platform.voice.join(CHANNEL);
    expect(platform.calls).toEqual(['leave', 'join']);
    expect(readdirSync(folder)).toEqual([`seat-${CHANNEL}.json`]);
  });
});
