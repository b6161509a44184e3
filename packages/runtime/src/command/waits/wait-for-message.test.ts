import { describe, expect, it } from 'vitest';
import { BOT_USER, interactionId, OTHER_CHANNEL, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { settle, startTestBot } from '../../../test/test-bot.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import type { Duration } from '../../text/duration.js';
import type { CommandContext } from '../context/command-context.js';
import { option } from '../../options/option.js';
import type { WaitForMessageOptions } from './wait-calls.js';

const THIRD_USER = interactionId(9);

async function ask(options: WaitForMessageOptions) {
  const reported: (string | null)[] = [];
  const bot = await startWaitBot(async ({ waitForMessage }) => {
    reported.push((await waitForMessage(options))?.content ?? null);
    return null;
  });
  bot.type('/x');
  await settle();
  return { ...bot, bot: bot.bot, reported };
}

describe('waitForMessage', () => {
  it('returns the next message of the channel, from anyone but this bot', async () => {
    const { say, bot, reported } = await ask({ within: '1m' });
    say('elsewhere', { channelId: OTHER_CHANNEL });
    say('of the bot', { authorId: BOT_USER });
    say('first');
    say('second');
    await bot.idle();
    expect(reported).toEqual(['first']);
  });

  it('listens from the call on, so that no answer to a question is too quick', async () => {
    const bot = await startWaitBot(async ({ reply, waitForMessage }) => {
      const answer = waitForMessage({ within: '1m' });
      await reply('Who?');
      return (await answer)?.content;
    });
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    bot.say('Me');
    held.settle(messageWith({ content: 'Who?' }));
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond Who?', 'edit Me']);
  });

  it.each<Duration>(['5s', option.duration().parse('5s')])(
    'returns null when none comes in time, %j',
    async (within) => {
      const { say, clock, reported } = await ask({ within });
      await clock.advance(4_999);
      expect(reported).toEqual([]);
      await clock.advance(1);
      expect(reported).toEqual([null]);
      say('too late');
      expect(reported).toEqual([null]);
    },
  );

  it('listens to the given users', async () => {
    const { say, bot, reported } = await ask({ from: [THIRD_USER], within: '1m' });
    say('not me', { authorId: OTHER_USER });
    say('me', { authorId: THIRD_USER });
    await bot.idle();
    expect(reported).toEqual(['me']);
  });

  it('sees reactions for nothing', async () => {
    const { press, clock, reported } = await ask({ within: '5s' });
    press('✅');
    await clock.advance(5_000);
    expect(reported).toEqual([null]);
  });

  it('refuses at once what is no duration', async () => {
    for (const within of [undefined, -1, 'soon']) {
      const bot = await startWaitBot(async ({ waitForMessage }) => {
        const options = within === undefined ? undefined : { within };
        await waitForMessage(options as unknown as WaitForMessageOptions);
      });
      await bot.run('/x');
      expect(bot.log.lines.find(({ level }) => level === 'error')?.details['err']).toMatchObject({
        code: 'E_DURATION',
        message: `\`within\` of waitForMessage() is "${String(within)}", which is not a duration.`,
        details: { saw: String(within) },
      });
    }
  });

  it('takes no message away from the handlers of events', async () => {
    const handled: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: ({ data }: { readonly data: { readonly content: string } }) =>
          void handled.push(data.content),
      },
      'commands/x.ts': {
        default: {
          description: 'x',
          intents: ['SERVER_MESSAGES'],
          run: async ({ waitForMessage }: CommandContext) =>
            (await waitForMessage({ within: '1m' }))?.content,
        },
      },
    });
    bot.type('/x');
    await settle();
    bot.emit('MESSAGE_CREATE', messageWith({ content: 'hello', authorId: OTHER_USER }));
    await bot.bot.idle();
    expect([handled, bot.lines]).toEqual([['hello'], ['respond hello']]);
  });

  it('ignores messages that its filter refuses, and can wait in another channel', async () => {
    const { say, bot, reported } = await ask({
      within: '1m',
      filter: ({ content }) => /^[0-9]+$/.test(content),
      channelId: OTHER_CHANNEL,
    });
    say('7');
    say('seven', { channelId: OTHER_CHANNEL });
    say('8', { channelId: OTHER_CHANNEL });
    await bot.idle();
    expect(reported).toEqual(['8']);
  });

  it('rejects with what its filter throws', async () => {
    const { say, bot, log } = await ask({
      within: '1m',
      filter: () => {
        throw new Error('broken filter');
      },
    });
    say('x');
    await bot.idle();
    expect(log.at('error')).toEqual(['/x failed: broken filter']);
  });
});
