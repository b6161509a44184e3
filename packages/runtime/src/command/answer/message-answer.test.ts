import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  failing,
  outcomeUnknown,
  rateLimited,
  refused,
  timedOut,
  unreachable,
} from '../../../test/client-failures.js';
import { BOT_USER, CHANNEL, interactionId, OTHER_USER, SERVER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { settle, startCommand, type TestBot, type TestBotOptions } from '../../../test/test-bot.js';
import type { CommandDefinition } from '../define/define-command.js';

const TYPED = { ...messageWith({ content: '!x', authorId: OTHER_USER }), serverId: SERVER };

/** A time just before the command. */
const EARLIER = new Date(Date.parse(TYPED.createdAt) - 1).toISOString();
const OF_CHANNEL = { authorId: OTHER_USER, channelId: CHANNEL };

/** A bot whose command /x messages can run; the message is in the channel. */
async function start(
  definition: Partial<CommandDefinition> = {},
  options: TestBotOptions = {},
): Promise<TestBot> {
  const bot = await startCommand({ messages: true, run: () => 'hi', ...definition }, options);
  await bot.clock.advance(Date.parse(TYPED.createdAt) - bot.clock.now());
  return bot;
}

describe('the answer to a message', () => {
  it.each([outcomeUnknown(), timedOut(true), rateLimited(true)])(
    'is not sent again if it may have arrived: %s',
    async (error) => {
      const bot = await start();
      bot.rest.always('messages.send', error);
      bot.rest.always('messages.list', new Error('no page'));
      bot.emit('MESSAGE_CREATE', TYPED);
      await bot.clock.advance(20 * 60_000);
      await bot.bot.idle();
      expect(bot.lines.filter((line) => line.startsWith('messages.send'))).toEqual([
        'messages.send hi',
      ]);
      expect(bot.log.at('error')).toEqual([
        `/x failed: ${error.message}`,
        'the answer of /x could not be delivered',
      ]);
    },
  );

  it.each([true, undefined] as const)(
    'is sent once if the message is delivered twice, from a gateway with deliversOnce %s',
    async (deliversOnce) => {
      const bot = await start({}, { deliversOnce });
      for (let n = 0; n < 2; n += 1) bot.emit('MESSAGE_CREATE', TYPED);
      await bot.bot.idle();
      expect(bot.lines).toEqual(['messages.send hi']);
    },
  );

  it('is sent again if it provably did not arrive', async () => {
    const bot = await start();
    bot.rest.once('messages.send', unreachable());
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(60_000);
    expect(bot.lines).toEqual(['messages.send hi', 'messages.send hi']);
    const facts = { command: 'x', caller: 'message', outcome: 'answered', calls: 2, retries: 1 };
    expect(bot.log.lines).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining(facts) }),
    );
  });

  it('is sent until the platform takes it, while the channel shows that it did not arrive', async () => {
    const bot = await start();
    for (let n = 0; n < 4; n += 1) bot.rest.once('messages.send', failing(503));
    bot.rest.always('messages.history', () => [messageWith({ content: '!x' })].values());
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(60_000);
    await bot.bot.idle();
    expect(bot.lines.filter((line) => line === 'messages.send hi')).toHaveLength(5);
    const facts = { command: 'x', outcome: 'answered', calls: 3, retries: 2 };
    expect(bot.log.lines).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining(facts) }),
    );
  });

  it('is followed by its last state if another message has the same text', async () => {
    const bot = await start({
      async *run({ clock }) {
        yield 'Loading';
        await clock.sleep('1s');
        yield 'half';
        await clock.sleep('1s');
        yield 'all';
      },
    });
    const same = [messageWith({ content: 'Loading' }), messageWith({ content: 'Loading' })];
    bot.rest.always('messages.list', { messages: same });
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(5_000);
    await bot.bot.idle();
    const sent = bot.lines.filter((line) => line.startsWith('messages.send'));
    expect(sent).toEqual(['messages.send Loading', 'messages.send all']);
  });

  it('says in the log that it is late because the author was looked up', async () => {
    const bot = await start();
    const { authorId: _, ...nameless } = TYPED;
    const held = bot.rest.hold('messages.get');
    bot.emit('MESSAGE_CREATE', nameless);
    await bot.clock.advance(2_000);
    held.settle(TYPED);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('messages.send hi');
    expect(bot.log.lines).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('the author or the server was looked up'),
      }),
    );
  });

  it.each(
    (['authorId', 'forwardedFrom'] as const).flatMap((absent) =>
      [{ forwardedFrom: { messageId: interactionId(8) } }, { isDeleted: true }].map(
        (parts) => [absent, parts] as const,
      ),
    ),
  )('is absent if the event has no %s, and reading the message shows %j', async (absent, parts) => {
    const bot = await start();
    const { [absent]: _, ...event } = TYPED;
    bot.rest.always('messages.get', { ...TYPED, ...parts });
    bot.emit('MESSAGE_CREATE', event);
    await bot.bot.idle();
    expect(bot.lines.filter((line) => line.startsWith('messages.send'))).toEqual([]);
  });

  it('is absent for a message that was read after a gap', async () => {
    const bot = await start();
    const receivedAtMs = bot.clock.monotonic();
    bot.gateway.deliver({ t: 'MESSAGE_CREATE', d: TYPED, receivedAtMs, recovered: true });
    await bot.bot.idle();
    expect(bot.lines).toEqual([]);
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.bot.idle();
    expect(bot.lines).toEqual(['messages.send hi']);
  });

  it('is refused in a closed channel, where the command runs no further', async () => {
    const ran: string[] = [];
    const run: CommandDefinition['run'] = async ({ reply }) => {
      await reply('one');
      ran.push('more');
    };
    const bot = await start({ run });
    bot.rest.always('messages.send', refused(403, 'bot_channel_archived'));
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(20 * 60_000);
    await bot.bot.idle();
    expect(ran).toEqual([]);
    // Each message is sent as a reply, and without the reference, and not again.
    const failure = 'messages.send Something went wrong.';
    const sent = 'messages.send one';
    expect(bot.lines).toEqual([sent, sent, failure, failure]);
    expect(bot.log.at('error')).toEqual([
      expect.stringContaining('/x failed: '),
      'the answer of /x could not be delivered',
    ]);
  });

  it('is the text of a restart while the bot shuts down, and nothing after the end of a worker', async () => {
    const run: CommandDefinition['run'] = ({ clock }) => clock.sleep('1h').then(() => 'late');
    const bot = await start({ run }, { messageCommands: { ignore: [BOT_USER] } });
    bot.type('/x');
    const closed = bot.bot.close();
    await settle();
    const { authorId: _, ...nameless } = TYPED;
    bot.emit('MESSAGE_CREATE', { ...nameless, id: interactionId(7) });
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(60_000);
    await closed;
    // An author who is unknown may be one to ignore.
    expect(bot.lines.filter((line) => line.startsWith('messages.send The bot is'))).toEqual([
      'messages.send The bot is restarting. Please try again in a moment.',
    ]);

    const worker = await start();
    worker.gateway.deliver({
      t: 'MESSAGE_CREATE',
      d: { ...TYPED, id: interactionId(9) },
      receivedAtMs: worker.clock.monotonic(),
      queued: { to: 'handlers', isDeferred: false, isAgain: true, ended: () => {} },
    });
    await worker.bot.idle();
    expect(worker.lines).toEqual([]);
    expect(worker.log.at('warn')).toEqual([
      expect.stringContaining('x of a message is not run again'),
    ]);
  });

  it('is edited by its id, which is read if no response had it; if two messages could be it, its last text is new', async () => {
    const run: CommandDefinition['run'] = async ({ reply, edit }) => {
      await reply('one');
      await edit('two');
    };
    const bot = await start({ run });
    const own = messageWith({ id: interactionId(1), content: 'one' });
    const page = (...messages: readonly object[]) => ({
      messages: [...messages, TYPED],
      hasMore: false,
    });
    bot.rest.once('messages.list', page(own));
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.bot.idle();
    expect(bot.rest.calls.at(-1)).toMatchObject({ endpoint: 'messages.edit' });
    expect(bot.rest.calls.at(-1)?.args[1]).toBe(interactionId(1));

    const other = await start({ run });
    other.rest.once('messages.list', page(own, { ...own, id: interactionId(2) }));
    other.emit('MESSAGE_CREATE', TYPED);
    await other.bot.idle();
    expect(other.lines).toContain('messages.send two');
    expect(other.log.at('error')).toEqual([]);
  });

  const ofCommand = { messageId: TYPED.id, authorId: OTHER_USER };
  const ofOther = { messageId: interactionId(5), authorId: OTHER_USER };
  it.each<[isFound: boolean, what: string, ...messages: Partial<Message>[]]>([
    [true, 'a reply to the command, not a message without `replyTo`', { replyTo: ofCommand }, {}],
    [true, 'a reply to a message of the author', { replyTo: { authorId: OTHER_USER } }],
    [true, 'a message without `replyTo`', { replyTo: null }],
    [true, 'not a message before the command', {}, { createdAt: '2020-01-01T00:00:00.000Z' }],
    [false, 'a reply to another message', { replyTo: ofOther }],
    [false, 'a reply that quotes the id', { replyTo: { ...ofOther, content: `!x ${TYPED.id}` } }],
    [false, 'a reply to another user', { replyTo: { messageId: null, authorId: BOT_USER } }],
    [false, 'a deleted message', { replyTo: ofCommand, isDeleted: true }],
    [false, 'the only one on a page without the command', { replyTo: null }, TYPED],
    [true, 'a reply on a page without the command', { replyTo: ofCommand }, TYPED],
    [
      true,
      'the only one since a command that was deleted',
      { replyTo: null },
      { content: 'old', createdAt: '2020-01-01T00:00:00.000Z' },
      TYPED,
    ],
    [false, 'the only one a little before the command', { replyTo: null, createdAt: EARLIER }],
    [true, 'a reply in a server', { replyTo: { serverId: SERVER, message: { id: TYPED.id } } }],
    [
      true,
      'the only one beside a line without content',
      { replyTo: null },
      { id: interactionId(7), content: null as never },
    ],
    [
      false,
      'a reply to a reply to the command',
      { replyTo: { id: interactionId(5), authorId: OTHER_USER, replyTo: { id: TYPED.id } } },
    ],
    [
      false,
      'a reply to another object of the same user',
      { replyTo: { authorId: OTHER_USER, message: { id: interactionId(5) } } },
    ],
    [
      true,
      'the only one since the command by the clock of the page',
      { replyTo: null, createdAt: EARLIER },
      { ...TYPED, createdAt: EARLIER },
    ],
    [true, 'one whose `replyTo` has only its author and channel', { replyTo: OF_CHANNEL }],
    [true, 'a reply whose command is an object', { replyTo: { message: { id: TYPED.id } } }, {}],
    [false, 'a reply to another object', { replyTo: { message: { id: interactionId(5) } } }],
  ])('is found: %s, %s', async (isFound, _what, ...messages) => {
    const bot = await start({
      async *run({ clock }) {
        for (const text of ['one', 'two', 'three']) {
          yield text;
          await clock.sleep('5s');
        }
      },
    });
    const isAbsent = messages.includes(TYPED);
    const page = isAbsent ? [] : [messages.find(({ id }) => id === TYPED.id) ?? TYPED];
    const own = messages.filter(({ id }) => id !== TYPED.id);
    let lists = 0;
    bot.rest.always('messages.list', () => {
      lists += 1;
      const content = bot.lines.findLast((line) => line.startsWith('messages.send'))?.slice(14);
      const found = own.map((parts, n) => messageWith({ id: interactionId(n), content, ...parts }));
      // First, the page does not say whether there are more.
      const hasMore = isAbsent && (lists > 1 || undefined);
      return { messages: [...found, ...page], hasMore };
    });
    bot.emit('MESSAGE_CREATE', TYPED);
    await bot.clock.advance(60_000);
    await bot.bot.idle();
    const written = bot.rest.calls.flatMap(({ endpoint, args }) =>
      endpoint === 'messages.edit' ? [args[1]] : endpoint === 'messages.send' ? ['new'] : [],
    );
    const id = interactionId(0);
    expect(written).toEqual(isFound ? ['new', id, id] : ['new', 'new']);
    expect(bot.lines.at(-1)).toContain('three');
  });
});
