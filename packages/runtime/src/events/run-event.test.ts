import type { Rest } from '@virgule/client/rest';
import { describe, expect, it } from 'vitest';
import {
  BOT_USER,
  CHANNEL,
  interactionId,
  MESSAGE,
  OTHER_CHANNEL,
  OTHER_USER,
  SERVER,
} from '../../test/ids.js';
import { READY } from '../../test/fake-gateway.js';
import { messageWith } from '../../test/messages.js';
import { projectOf } from '../../test/project-of.js';
import { settle, startTestBot } from '../../test/test-bot.js';
import { defineEvent } from './define-event.js';
import type { EventContext } from './event-context.js';

const reaction = (userId: string) => ({
  serverId: SERVER,
  channelId: CHANNEL,
  messageId: MESSAGE,
  userId,
  emoji: { kind: 'unicode', unicodeEmoji: '👍' },
  count: 1,
});

describe('an event handler', () => {
  it('gets the payload with unknown fields, the channel, and what every handler gets', async () => {
    const seen: EventContext<unknown>[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: async (context: EventContext<unknown>) => {
          seen.push(context);
          const { here, channel, random } = context;
          await here?.send(`random ${random()}`);
          await channel(OTHER_CHANNEL).typing();
        },
      },
    });
    const data = { ...messageWith({ authorId: OTHER_USER }), serverId: SERVER, mood: 'new' };
    bot.emit('MESSAGE_CREATE', data);
    await bot.bot.idle();
    expect(seen[0]?.data).toEqual(data);
    expect(seen[0]?.here?.id).toBe(CHANNEL);
    expect(seen[0]?.rest).toBe(bot.rest.rest);
    expect(bot.lines).toEqual(['messages.send random 0.5', 'channels.typing']);
    expect(bot.rest.calls[0]?.args[0]).toBe(CHANNEL);
    expect(bot.rest.calls[1]?.args[0]).toBe(OTHER_CHANNEL);
  });

  it('knows whether the event was read back after a gap', async () => {
    const seen: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: ({ data, recovered }: EventContext<{ readonly content: string }>) =>
          void seen.push(`${data.content} ${recovered}`),
      },
    });
    const message = (content: string) => messageWith({ content, authorId: OTHER_USER });
    bot.emit('MESSAGE_CREATE', message('live'));
    bot.gateway.deliver({
      t: 'MESSAGE_CREATE',
      d: message('missed'),
      receivedAtMs: bot.clock.monotonic(),
      recovered: true,
    });
    expect(seen).toEqual(['live false', 'missed true']);
  });

  it('can show that it is typing for as long as its work takes, until the bot stops', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: async ({ here, clock }: EventContext<unknown>) => {
          await here?.typing.during(clock.sleep('10s'));
        },
      },
    });
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER }));
    await bot.clock.advance(10_000);
    expect(bot.lines).toEqual(['channels.typing', 'channels.typing', 'channels.typing']);
    expect(bot.bot.running).toBe(0);
  });

  it('has no channel for an event that has none', async () => {
    const channels: unknown[] = [];
    const listen = ({ here }: EventContext<unknown>): void => void channels.push(here);
    const bot = await startTestBot({
      'events/voice-state-update.ts': { default: listen },
      'events/ready.ts': { default: listen },
    });
    const left = { serverId: SERVER, channelId: null, userId: OTHER_USER };
    bot.emit('VOICE_STATE_UPDATE', left);
    expect(channels).toEqual([undefined, undefined]);
  });

  it('does not receive what the bot itself did, unless it asks for it', async () => {
    const received: string[] = [];
    const listen =
      (name: string) =>
      ({ data }: EventContext<{ readonly authorId?: string; readonly userId?: string }>): void =>
        void received.push(`${name} ${data.authorId ?? data.userId}`);
    const bot = await startTestBot({
      'events/message-create/others.ts': { default: listen('others') },
      'events/message-create/all.ts': {
        default: defineEvent('MESSAGE_CREATE', listen('all'), { own: true }),
      },
      'events/message-reaction-add.ts': { default: listen('reactions') },
    });
    for (const id of [BOT_USER, OTHER_USER, BOT_USER.toUpperCase()]) {
      bot.emit('MESSAGE_CREATE', messageWith({ authorId: id }));
      bot.emit('MESSAGE_REACTION_ADD', reaction(id));
    }
    expect(received).toEqual([
      `all ${BOT_USER}`,
      `all ${OTHER_USER}`,
      `others ${OTHER_USER}`,
      `reactions ${OTHER_USER}`,
      `all ${BOT_USER.toUpperCase()}`,
    ]);
  });

  it('runs for the first event only with once, the bot’s own left aside', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ data }) => void received.push(data.content), {
          once: true,
        }),
      },
    });
    bot.emit('MESSAGE_CREATE', messageWith({ content: 'own' }));
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content: 'one' }));
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content: 'two' }));
    expect(received).toEqual(['one']);
  });

  it('is skipped when a needed field is missing, which is logged once for each event', async () => {
    const received: unknown[] = [];
    const listen = ({ data }: EventContext<unknown>): void => void received.push(data);
    const bot = await startTestBot({
      'events/message-delete/a.ts': { default: listen },
      'events/message-delete/b.ts': { default: listen },
      'events/message-create.ts': { default: listen },
    });
    for (const data of [{ channelId: CHANNEL }, null, 'text']) {
      bot.emit('MESSAGE_DELETE', data);
      bot.emit('MESSAGE_CREATE', data);
    }
    expect(received).toEqual([]);
    expect(bot.log.at('warn')).toEqual([
      'skipped the handlers of MESSAGE_DELETE: its payload is invalid',
      'skipped the handlers of MESSAGE_CREATE: its payload is invalid',
    ]);
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, id: MESSAGE });
    expect(received).toHaveLength(2);
  });

  it('is not needed: events without a listener are not even read', async () => {
    const bot = await startTestBot({});
    bot.emit('MESSAGE_DELETE', null);
    bot.emit('SOMETHING_NEW', { anything: true });
    bot.emit('constructor', {});
    await settle();
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('receives a voice change under its other name too', async () => {
    const received: unknown[] = [];
    const bot = await startTestBot({
      'events/voice-state-update.ts': {
        default: ({ data }: EventContext<unknown>) => void received.push(data),
      },
    });
    const change = { serverId: SERVER, channelId: CHANNEL, userId: OTHER_USER };
    bot.emit('VoiceStateChanged', change);
    expect(received).toEqual([change]);
  });

  it('receives commands in addition to the command itself', async () => {
    const received: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': { description: 'x', default: () => 'done' },
      'events/application-command.ts': {
        default: ({ data }: EventContext<{ readonly rawInput: string }>) =>
          void received.push(data.rawInput),
      },
    });
    expect(await bot.run('/x 1')).toHaveLength(1);
    expect(received).toEqual(['/x 1']);
  });

  it('has a log that takes a message, and an error with a message', async () => {
    const error = new Error('slow');
    const bot = await startTestBot({
      'events/message-delete.ts': {
        default: ({ log }: EventContext<unknown>) => {
          log.info('heard');
          log.warn(error, 'was slow');
        },
      },
    });
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    expect(bot.log.lines.slice(-2)).toEqual([
      { level: 'info', message: 'heard', details: {} },
      { level: 'warn', message: 'was slow', details: { err: error } },
    ]);
  });

  it('that throws touches no other one, and is named in the log', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-delete/a.ts': {
        default: () => {
          throw new Error('at once');
        },
      },
      'events/message-delete/b.ts': { default: () => Promise.reject(new Error('later')) },
      'events/message-delete/c.ts': { default: () => void received.push('c') },
    });
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    await bot.bot.idle();
    expect(received).toEqual(['c']);
    expect(bot.log.lines.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        message: 'events/message-delete/a.ts failed: at once',
        details: {
          event: 'MESSAGE_DELETE',
          file: 'events/message-delete/a.ts',
          err: new Error('at once'),
        },
      },
      expect.objectContaining({ message: 'events/message-delete/b.ts failed: later' }),
    ]);
  });

  it('waits by the bot’s clock, and no longer than the bot lives', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-delete.ts': {
        default: async ({ clock, signal }: EventContext<unknown>) => {
          await clock.sleep('1s');
          received.push('one');
          await clock.sleep('1h').catch(() => received.push(`aborted ${signal.aborted}`));
        },
      },
    });
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    await bot.clock.advance(1_000);
    expect(received).toEqual(['one']);
    const closed = bot.bot.close();
    await bot.clock.advance(10_000);
    await closed;
    expect(received).toEqual(['one', 'aborted true']);
  });
});

describe('a handler of ready that loops', () => {
  const loop =
    (name: string, seen: string[]) =>
    async ({ signal, clock }: EventContext<unknown>): Promise<void> => {
      while (!signal.aborted) {
        seen.push(name);
        await clock.sleep('1m');
      }
    };

  async function startLoop(seen: string[]) {
    const bot = await startTestBot({ 'events/ready.ts': { default: loop('old', seen) } });
    return bot;
  }

  it('does not keep the bot busy, and is stopped first at a shutdown', async () => {
    const seen: string[] = [];
    const bot = await startLoop(seen);
    await bot.bot.idle();
    await bot.clock.advance(60_000);
    expect(seen).toEqual(['old', 'old']);
    // No time passes: nothing waits for the drain.
    await bot.bot.close();
    expect(bot.log.at('error')).toEqual([]);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('runs once, however often the bot connects', async () => {
    const seen: string[] = [];
    const bot = await startLoop(seen);
    for (let reconnects = 0; reconnects < 2; reconnects += 1) {
      bot.gateway.status({ state: 'ready', ready: READY, reconnected: true });
      await settle();
    }
    await bot.clock.advance(60_000);
    expect(seen).toEqual(['old', 'old', 'old', 'old']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('is replaced when its file is reloaded, and only then', async () => {
    const seen: string[] = [];
    const bot = await startLoop(seen);
    const { project } = bot.bot;
    bot.bot.use(
      await projectOf({ 'events/ready.ts': { default: project.events.get('ready')?.[0]?.run } }),
    );
    expect(seen).toEqual(['old']);
    bot.bot.use(await projectOf({ 'events/ready.ts': { default: loop('new', seen) } }));
    await bot.clock.advance(60_000);
    expect(seen).toEqual(['old', 'new', 'new']);
  });
});

describe('an event handler that answers', () => {
  const mention = (content: string) => messageWith({ content, authorId: OTHER_USER });

  it('replies to the message of the event, and appends as a command does', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', async ({ reply, append }) => {
          await reply('Hello');
          await append(['a', 'b', 'c']);
        }),
      },
      'events/message-reaction-add.ts': {
        default: defineEvent('MESSAGE_REACTION_ADD', ({ reply }) => reply({ content: 'Thanks' })),
      },
      'events/message-delete.ts': {
        default: defineEvent('MESSAGE_DELETE', ({ reply }) => reply('Gone')),
      },
    });
    const data = mention('hi');
    bot.rest.always('messages.send', messageWith({ content: 'a' }));
    bot.emit('MESSAGE_CREATE', data);
    await bot.clock.advance(1_000);
    bot.emit('MESSAGE_REACTION_ADD', reaction(OTHER_USER));
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: MESSAGE });
    await bot.bot.idle();
    const sent = bot.rest.calls.filter(({ endpoint }) => endpoint === 'messages.send');
    expect(sent.map(({ args }) => args.slice(0, 2))).toMatchObject([
      [CHANNEL, { content: 'Hello', replyToMessageId: data.id }],
      [CHANNEL, { content: 'a', replyToMessageId: data.id }],
      [CHANNEL, { content: 'Thanks', replyToMessageId: MESSAGE }],
      [CHANNEL, { content: 'Gone', replyToMessageId: undefined }],
    ]);
    expect(bot.lines.filter((line) => line.startsWith('messages.edit'))).toEqual([
      'messages.edit abc',
    ]);
  });

  it('may reply when a shutdown aborts its signal, and its stream ends', async () => {
    const sent: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', async ({ append, reply, here }) => {
          const endless = new ReadableStream<string>({ start: (stream) => stream.enqueue('a') });
          await append(endless).catch(() => reply('Stopped.'));
          await here.send('Bye.');
        }),
      },
    });
    bot.rest.always(
      'messages.send',
      (...[, body, options]: Parameters<Rest['messages']['send']>) => {
        options?.signal?.throwIfAborted();
        sent.push(String(body.content));
        return messageWith({ content: 'a' });
      },
    );
    bot.emit('MESSAGE_CREATE', mention('hi'));
    await bot.clock.advance(1_000);
    const closed = bot.bot.close();
    await bot.clock.advance(10_000);
    await closed;
    expect(sent).toEqual(['a', 'Stopped.', 'Bye.']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('fails when a piece of its text is no string', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ here }) =>
          here.append([{ delta: 'a' }] as unknown as string[]),
        ),
      },
    });
    bot.emit('MESSAGE_CREATE', mention('hi'));
    await bot.bot.idle();
    const line = bot.log.lines.find(({ level }) => level === 'error');
    expect(line).toMatchObject({
      details: { err: { code: 'E_ANSWER_INVALID' } },
      message: expect.stringContaining('append() received a chunk of type object'),
    });
  });

  it.each<['channel' | 'none' | ((data: { readonly content: string }) => string), string[]]>([
    ['channel', ['a1 begins', 'a1 ends', 'b begins', 'b ends', 'a2 begins', 'a2 ends']],
    ['none', ['a1 begins', 'b begins', 'a2 begins', 'a1 ends', 'b ends', 'a2 ends']],
    [
      ({ content }) => content.slice(0, 1),
      ['a1 begins', 'b begins', 'a1 ends', 'a2 begins', 'b ends', 'a2 ends'],
    ],
  ])('starts in the order it asks for: %s', async (order, expected) => {
    const seen: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          async ({ data, clock }) => {
            seen.push(`${data.content} begins`);
            await clock.sleep('1s');
            seen.push(`${data.content} ends`);
          },
          { order },
        ),
      },
    });
    for (const content of ['a1', 'b', 'a2']) bot.emit('MESSAGE_CREATE', mention(content));
    await bot.clock.advance(3_000);
    expect(seen).toEqual(expected);
    expect(bot.bot.running).toBe(0);
  });
});

describe('an event handler that answers as a command does', () => {
  it.each<readonly [string, () => unknown, string]>([
    ['a string', () => 'pong', 'returned a string, which is not sent'],
    ['a promise of a string', async () => 'pong', 'returned a string, which is not sent'],
    [
      'a generator',
      async function* () {
        yield 'pong';
      },
      'is a generator, which is not run',
    ],
  ])('with %s is reported once, in development only', async (_, run, what) => {
    const logged = async (development: boolean) => {
      const bot = await startTestBot({ 'events/ready.ts': { default: run } }, { development });
      for (let n = 0; n < 2; n += 1)
        bot.gateway.status({ state: 'ready', ready: READY, reconnected: false });
      await settle();
      return bot.log.at('warn');
    };
    expect(await logged(false)).toEqual([]);
    expect(await logged(true)).toEqual([`events/ready.ts ${what}; send messages with reply()`]);
  });

  it('may return anything else', async () => {
    const run = () => ({ content: 5 });
    const bot = await startTestBot(
      { 'events/shutdown.ts': { default: run } },
      { development: true },
    );
    await bot.bot.close();
    expect(bot.log.at('warn')).toEqual([]);
  });
});
