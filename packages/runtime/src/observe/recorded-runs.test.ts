// A bot that records its failures.
import { randomUUID } from 'node:crypto';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gone } from '../../test/client-failures.js';
import { CHANNEL, OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import type { Modules } from '../../test/project-of.js';
import { settle, startTestBot } from '../../test/test-bot.js';
import type { CommandContext } from '../command/context/command-context.js';
import type { EventContext } from '../events/event-context.js';
import { memory } from '../storage/memory-storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { createStorage } from '../storage/storage.js';
import type { FailedRecord } from './record.js';
import { RECORD_PREFIX } from './recorder.js';

type Run = (context: CommandContext) => unknown;
const command = (run: Run) => ({
  default: { description: 'x', intents: ['SERVER_MESSAGES'], run },
});
const failing = {
  default: async ({ data }: EventContext<{ readonly content: string }>) => {
    await settle();
    throw new Error(data.content);
  },
};
const never = (): Promise<never> => new Promise(() => {});

async function open(modules: Modules) {
  const storage = new StorageConnection(memory(), {
    clock: createFakeClock(),
    log: silentLog,
    root: '.',
  });
  let isClosed = false;
  const failed = { text: 'keep' } as const;
  const bot = await startTestBot(modules, { storage, failed, drainMs: 1_000 });
  // The records are read after the end of the bot.
  storage.close = async () => void (isClosed = true);
  async function records(): Promise<readonly FailedRecord[]> {
    if (!isClosed) await bot.bot.idle();
    const found = await createStorage(storage).list<FailedRecord>(RECORD_PREFIX);
    return found.map(({ value }) => value);
  }
  const say = (content: string, channelId: string = CHANNEL): void =>
    bot.emit('MESSAGE_CREATE', messageWith({ content, channelId, authorId: OTHER_USER }));
  return { ...bot, records, say };
}

const contentsOf = ({ frames }: FailedRecord): readonly unknown[] =>
  frames.map(({ d }) => Object(d).content ?? Object(d).rawInput);

describe('a bot that records failures', () => {
  it('leaves a rejection unhandled that no handler awaits', async () => {
    const listeners = process.rawListeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const unhandled = new Promise((resolve) => process.on('unhandledRejection', resolve));
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection');
      for (const each of listeners) process.on('unhandledRejection', each as () => void);
    });
    const bot = await open({
      'commands/a.ts': command(({ rest }) => {
        void rest.messages.send(CHANNEL, { content: 'hi' });
        return 'ok';
      }),
    });
    const error = new Error('no such channel');
    bot.rest.once('messages.send', error);
    await bot.run('/a');
    expect(await unhandled).toBe(error);
  });

  it('records the failures of a shutdown, but no command that the shutdown stops', async () => {
    const bot = await open({
      'commands/a.ts': command(never),
      'commands/b.ts': command(async ({ clock }) => {
        await clock.sleep('0.5s');
        throw new RangeError('a bug');
      }),
    });
    bot.type('/b');
    for (let index = 0; index < 60; index += 1) bot.type('/a');
    const closed = bot.bot.close();
    await bot.clock.advance(1_000);
    await closed;
    expect((await bot.records()).map(({ reason }) => reason)).toEqual(['RangeError: a bug']);
  });

  it('records an uncaught exception once, for the command that it names', async () => {
    const bot = await open({ 'commands/a.ts': command(never), 'commands/b.ts': command(never) });
    const [, , last] = ['/a', '/b', '/b'].map((line) => bot.type(line));
    const error = new RangeError('a bug');
    error.stack = 'RangeError: a bug\n    at f (/bot/commands/b.ts:1:1)';
    const ended = bot.bot.uncaughtException(error);
    await bot.clock.advance(1_000);
    await ended;
    expect(await bot.records()).toMatchObject([
      { name: '/b', reason: 'RangeError: a bug', frames: [{}, {}, { d: { interactionId: last } }] },
    ]);
  });

  it('records a message once that two handlers receive', async () => {
    const files = ['events/message-create/a.ts', 'events/message-create/b.ts'];
    const bot = await open({
      ...Object.fromEntries(files.map((file) => [file, failing])),
      'commands/x.ts': command(async () => {
        await settle();
        throw new Error('no luck');
      }),
    });
    bot.say('boom');
    bot.type('/x');
    const boom = ['boom', '/x'];
    expect((await bot.records()).map(contentsOf)).toEqual([boom, boom, boom]);
  });

  it('records an event once that a queue delivers to handlers and waits', async () => {
    const bot = await open({
      'commands/a.ts': command(async ({ waitForMessage }) => {
        const answer = await waitForMessage({ within: '1m' });
        throw new Error(answer?.content);
      }),
    });
    bot.type('/a');
    await settle();
    for (const to of ['handlers', 'waits'] as const)
      bot.gateway.deliver({
        t: 'MESSAGE_CREATE',
        d: messageWith({ content: 'yes', authorId: OTHER_USER }),
        receivedAtMs: 0,
        queued: { to, isDeferred: false, ended: () => {} },
      });
    expect((await bot.records()).map(contentsOf)).toEqual([['/a', 'yes']]);
  });

  it('keeps messages in the order in which they arrived, whenever a wait took them', async () => {
    const bot = await open({
      'commands/a.ts': command(async ({ waitForMessage }) => {
        const filter = ({ content }: { readonly content: string }): boolean => content === 'yes';
        const wait = { within: '1m', filter } as const;
        const [answer] = await Promise.all([waitForMessage(wait), waitForMessage(wait)]);
        throw new Error(answer?.content);
      }),
    });
    bot.type('/a');
    await settle();
    for (const content of ['one', 'yes', 'two']) bot.say(content);
    expect((await bot.records()).map(contentsOf)).toEqual([['/a', 'one', 'yes', 'two']]);
  });

  it('ends the record of each command, even of an expired one', async () => {
    const bot = await open({
      'commands/ok.ts': command(() => 'ok'),
      'commands/late.ts': command(async ({ clock }) => clock.sleep('10s')),
      'commands/bad.ts': command(async () => {
        await settle();
        throw new Error('bad');
      }),
    });
    for (const line of ['/ok', '/late', '/ok extra']) bot.type(line);
    await bot.clock.advance(10_000);
    await bot.bot.idle();
    const place = { serverId: randomUUID(), channelId: CHANNEL };
    const tooOld = { receivedAtMs: bot.clock.monotonic() - 3_600_000 };
    const queued = { to: 'handlers', isDeferred: false, ended: () => {} } as const;
    bot.rest.once('interactions.defer', gone());
    const d = { ...place, interactionId: randomUUID(), name: 'ok', rawInput: '/ok old' };
    bot.gateway.deliver({ t: 'APPLICATION_COMMAND', d, ...tooOld, queued });
    await settle();
    expect(bot.log.at('error').join()).toContain('dropped /ok');
    await bot.run('/bad');
    expect((await bot.records()).map(contentsOf)).toEqual([['/bad']]);
  });

  it('keeps messages of two channels in the order in which waits took them', async () => {
    const other = randomUUID();
    const bot = await open({
      'commands/a.ts': command(async ({ waitForMessage }) => {
        await waitForMessage({ within: '1m' });
        await waitForMessage({ within: '1m', channelId: other });
        await waitForMessage({ within: '1m' });
        throw new Error('no luck');
      }),
    });
    bot.type('/a');
    await settle();
    for (const [content, channelId] of [['one'], ['two', other], ['three']] as const) {
      bot.say(content, channelId);
      await settle();
    }
    expect((await bot.records()).map(contentsOf)).toEqual([['/a', 'one', 'two', 'three']]);
  });

  it('keeps the answers that a command took, and the first other messages of a busy channel', async () => {
    const bot = await open({
      'commands/a.ts': command(async ({ waitForMessage }) => {
        const filter = ({ content }: { readonly content: string }): boolean => content === 'yes';
        const answer = await waitForMessage({ within: '1m', filter });
        await waitForMessage({ within: '1m', filter: ({ content }) => content === 'end' });
        throw new Error(answer?.content);
      }),
    });
    bot.type('/a');
    await settle();
    const chat = Array.from({ length: 20 }, (_, index) => `${index}`);
    for (const content of [...chat, 'yes', ...chat, 'end']) {
      bot.say(content);
      await settle();
    }
    expect((await bot.records()).map(contentsOf)).toEqual([
      ['/a', ...chat.slice(0, 13), 'yes', 'end'],
    ]);
  });
});
