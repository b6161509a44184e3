import type { EventPayloads } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { interactionId } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import type { Modules } from '../../../test/project-of.js';
import { settle, startCommand, startTestBot, type TestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { EventContext } from '../../events/event-context.js';

type MessageContext = EventContext<EventPayloads['MESSAGE_CREATE']>;

/** Work that a handler leaves running, and its end. */
function background(work: (context: CommandContext) => Promise<unknown>) {
  const ends: unknown[] = [];
  return {
    ends,
    run(context: CommandContext): string {
      void work(context).then(
        () => ends.push('done'),
        (error: unknown) => ends.push(error),
      );
      return 'I will remind you.';
    },
  };
}

const remind = async ({ clock, here }: CommandContext): Promise<void> => {
  await clock.sleep('10m');
  await here.send('Now!');
};

describe('what a handler leaves running', () => {
  it('sleeps and sends after the command has ended', async () => {
    const { run, ends } = background(remind);
    const bot = await startCommand({ run });
    await bot.run('/x');
    expect([bot.bot.running, bot.lines]).toEqual([0, ['respond I will remind you.']]);
    await bot.clock.advance(10 * 60_000);
    expect(bot.lines.at(-1)).toBe('messages.send Now!');
    expect(ends).toEqual(['done']);
  });

  it('sends from a callback, to this channel and to another one, and types', async () => {
    const { run, ends } = background(
      ({ here, channel }) =>
        new Promise((resolve, reject) => {
          void (async () => {
            for (let n = 0; n < 5; n += 1) await settle();
            await here.typing();
            await here.typing.during(here.send('here'));
            await channel('5e9b3c17-a264-4d80-b91e-07f3c8d5624b').send('there');
          })().then(resolve, reject);
        }),
    );
    const bot = await startCommand({ run });
    await bot.run('/x');
    for (let n = 0; n < 20; n += 1) await settle();
    expect(ends).toEqual(['done']);
    expect(bot.lines).toContain('messages.send there');
  });

  it('is not ended by the timeout of a command that has ended', async () => {
    const { run, ends } = background(remind);
    const bot = await startCommand({ run, timeout: '5s' });
    await bot.run('/x');
    await bot.clock.advance(10 * 60_000);
    expect(ends).toEqual(['done']);
  });

  it('ends with the timeout of a command that is not', async () => {
    const bot = await startCommand({
      timeout: '2s',
      run: async ({ clock, here }) => {
        for (;;) {
          await clock.sleep('500ms');
          await here.send('tick');
        }
      },
    });
    bot.type('/x');
    await bot.clock.advance(10_000);
    expect(bot.lines.filter((line) => line.endsWith('tick'))).toHaveLength(3);
    expect([bot.bot.running, bot.clock.pending]).toEqual([0, 0]);
  });

  it('ends with the bot, and does not hold it up', async () => {
    const { run, ends } = background(remind);
    const bot = await startCommand({ run });
    await bot.run('/x');
    await bot.bot.close();
    await settle();
    expect(ends).toEqual([expect.objectContaining({ code: 'E_HANDLER_STOPPED' })]);
    expect(bot.clock.pending).toBe(0);
  });

  it.each<readonly [string, Modules, (bot: TestBot) => void]>([
    [
      'command',
      {
        'commands/x.ts': {
          description: 'Does x',
          default: ({ here }: CommandContext) => {
            void here.send('sent');
            return 'answered';
          },
        },
      },
      (bot) => void bot.type('/x'),
    ],
    [
      'handler of an event',
      {
        'events/message-create.ts': {
          default: ({ reply }: MessageContext) => void reply('sent'),
        },
      },
      (bot) => bot.emit('MESSAGE_CREATE', messageWith({ authorId: interactionId(7) })),
    ],
    [
      'handler of an event, piece by piece,',
      {
        'events/message-create.ts': {
          default: ({ append }: MessageContext) => void append(['sent']),
        },
      },
      (bot) => bot.emit('MESSAGE_CREATE', messageWith({ authorId: interactionId(7) })),
    ],
  ])('sends what a %s did not wait for before the bot ends', async (_, modules, start) => {
    const bot = await startTestBot(modules);
    const sending = bot.rest.hold('messages.send');
    start(bot);
    await settle();
    const ends: string[] = [];
    void bot.bot.idle().then(() => ends.push('idle'));
    void bot.bot.close().then(() => ends.push('closed'));
    await bot.clock.advance(5_000);
    const [, , options] = bot.rest.calls.find(({ endpoint }) => endpoint === 'messages.send')!.args;
    expect([ends, (options as { signal: AbortSignal }).signal.aborted]).toEqual([[], false]);
    expect(bot.bot.running).toBe(0);
    sending.settle();
    await bot.clock.advance(0);
    expect(ends).toEqual(['idle', 'closed']);
  });
});
