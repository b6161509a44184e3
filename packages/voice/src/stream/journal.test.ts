import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL, openFakePlatform, type FakePlatformOptions } from '../../test/fake-platform.js';
import { packetsOf } from '../../test/playing.js';
import { createVoiceJournal } from './journal.js';

describe('the journal', () => {
  const folderOf = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'voice-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const log: Log = { ...silentLog, warn: (_fields, line) => expect.unreachable(line) };
  /** A platform with a journal in a folder. */
  function openIn(folder: string, options: Partial<FakePlatformOptions> = {}, botUserId = 'bot') {
    const journal = createVoiceJournal(folder, log, { botUserId });
    const platform = openFakePlatform({ clock: createFakeClock(), journal, ...options });
    /** The keys of what is open. */
    const open = async (): Promise<unknown[]> => {
      await journal.written();
      return readdirSync(folder).flatMap((name) => {
        const [text = ''] = readFileSync(join(folder, name), 'utf8').split('\n\n');
        const [, ...entries] = text.split('\n').map((line) => JSON.parse(line));
        return entries.map(({ key }) => key);
      });
    };
    return { ...platform, open };
  }
  /** Writes the file of a process that is gone: its id is above every possible one. */
  function leave(folder: string, held: object, bot = 'bot'): void {
    const lines = [
      { pid: 2 ** 30, host: hostname(), bot },
      { key: 'a', channelId: CHANNEL, ...held },
    ].map((line) => JSON.stringify(line));
    writeFileSync(join(folder, 'a.jsonl'), `${lines.join('\n')}\n\n`);
  }

  it('has an entry while an ingress is open', async () => {
    const { voice, open } = openIn(folderOf());
    const stream = await voice.stream(CHANNEL, packetsOf(10));
    expect(await open()).toEqual([CHANNEL]);
    await stream.close();
    expect(await open()).toEqual([]);
  });

  it('closes what a process of this machine has left, before it opens another one', async () => {
    const folder = folderOf();
    leave(folder, {});
    const { voice, calls } = openIn(folder);
    await voice.stream(CHANNEL, packetsOf(10));
    expect(calls.slice(0, 2)).toEqual([`close ${CHANNEL}`, 'open']);
    await voice.close();
  });

  it('leaves what is of another bot in the same folder', async () => {
    const folder = folderOf();
    leave(folder, {}, 'another bot');
    const { calls } = openIn(folder);
    expect([calls, readdirSync(folder).includes('a.jsonl')]).toEqual([[], true]);
  });

  it('remembers what could not be closed, for the start after that', async () => {
    const folder = folderOf();
    leave(folder, {});
    const clock = createFakeClock();
    const onClose = () => Promise.reject(new Error('down'));
    const journal = createVoiceJournal(folder, silentLog, { botUserId: 'bot' });
    const { open } = openIn(folder, { clock, journal, onClose });
    await clock.advance(0);
    // It is one of this process until then.
    expect(await open()).toEqual(['a']);
  });

  it('has the entry before the ingress is opened, and none when it is refused', async () => {
    const during: unknown[] = [];
    const { voice, open } = openIn(folderOf(), {
      async openIngress() {
        during.push(...(await open()));
        throw new Error('refused');
      },
    });
    await expect(voice.stream(CHANNEL, packetsOf(10))).rejects.toThrow('refused');
    expect(during).toEqual([CHANNEL]);
    expect(await open()).toEqual([]);
  });
});
