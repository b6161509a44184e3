import { describe, expect, it } from 'vitest';
import { BOT_USER, interactionId, MESSAGE, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { settle } from '../../../test/test-bot.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import type { MessageReference, ReactionsOptions } from './wait-calls.js';

const THIRD_USER = interactionId(9);
const POLL = { within: '10s' } as const;

/** A bot whose /x counts the reactions of a message. */
async function count(message: MessageReference, stopAt = Infinity) {
  const seen: (string | undefined)[] = [];
  const bot = await startWaitBot(async ({ reactions }) => {
    for await (const { emoji } of reactions(message, POLL)) {
      seen.push(emoji.unicodeEmoji);
      if (seen.length >= stopAt) break;
    }
    return `${seen.length} votes`;
  });
  bot.type('/x');
  await settle();
  return { ...bot, bot: bot.bot, seen };
}

describe('reactions', () => {
  it('yields each reaction that is added to the message, until the time is up', async () => {
    const { press, unpress, clock, seen, rest } = await count(MESSAGE);
    press('👍');
    await settle();
    press('🎉');
    press('👍', { messageId: THIRD_USER });
    press('👍', { userId: BOT_USER });
    unpress('👍');
    await clock.advance(9_999);
    expect([seen, rest.lines]).toEqual([['👍', '🎉'], ['defer']]);
    await clock.advance(1);
    expect(rest.lines.at(-1)).toBe('respond 2 votes');
    press('👍');
    expect(seen).toHaveLength(2);
  });

  it('yields the reactions that pass its filter, and throws what the filter throws', async () => {
    const count = (filter: ReactionsOptions['filter']) =>
      startWaitBot(async ({ reactions }) => {
        let seen = '';
        for await (const { emoji } of reactions(MESSAGE, { ...POLL, filter })) {
          seen += emoji.unicodeEmoji;
        }
        return seen;
      });
    const bot = await count(({ emoji }) => emoji.unicodeEmoji !== '👎');
    bot.type('/x');
    await settle();
    for (const emoji of ['👍', '👎', '🎉']) bot.press(emoji);
    await bot.clock.advance(10_000);
    expect(bot.rest.lines.at(-1)).toBe('respond 👍🎉');
    const failing = await count(() => {
      throw new Error('no luck');
    });
    failing.type('/x');
    await settle();
    failing.press('👍');
    await settle();
    expect(failing.rest.lines).toEqual(['respond Something went wrong.']);
  });

  it('takes a message that was read, or one that the bot sent', async () => {
    const read = await count(messageWith());
    read.press('👍');
    await settle();
    expect(read.seen).toEqual(['👍']);

    const bot = await startWaitBot(async ({ reply, reactions }) => {
      const seen: string[] = [];
      for await (const { userId } of reactions(await reply('Vote!'), POLL)) seen.push(userId);
      return seen.join(' ');
    });
    bot.type('/x');
    await settle();
    bot.press('👍');
    bot.press('👍', { messageId: THIRD_USER });
    await bot.clock.advance(10_000);
    expect(bot.lines).toEqual(['respond Vote!', `edit ${OTHER_USER}`]);
  });

  it('keeps what comes while the loop is busy, and while the message is still looked up', async () => {
    const bot = await startWaitBot(async ({ reply, reactions, clock }) => {
      const seen: string[] = [];
      for await (const { emoji } of reactions(await reply('Vote!'), POLL)) {
        seen.push(emoji.unicodeEmoji ?? '');
        await clock.sleep('3s');
      }
      return seen.join('');
    });
    bot.rest.always('interactions.respond', () => undefined);
    const held = bot.rest.hold('messages.list');
    bot.type('/x');
    await settle();
    bot.press('1');
    bot.press('x', { messageId: THIRD_USER });
    held.settle({ messages: [messageWith({ content: 'Vote!' })], hasMore: false, oldestId: null });
    await settle();
    bot.press('2');
    bot.press('3');
    await bot.clock.advance(10_000);
    expect(bot.lines.at(-1)).toBe('edit 123');
  });

  it('loses nothing between the message and the call', async () => {
    const bot = await startWaitBot(async ({ reply, reactions, clock }) => {
      const sent = await reply('Vote!');
      await clock.sleep('5s');
      let seen = '';
      for await (const { emoji } of reactions(sent, POLL)) seen += emoji.unicodeEmoji;
      return seen;
    });
    const held = bot.rest.hold('interactions.respond');
    bot.press('before', { messageId: THIRD_USER });
    bot.type('/x');
    await settle();
    // The message is in the channel already; only the response to the call is still in flight.
    bot.press('1');
    bot.press('own', { userId: BOT_USER });
    bot.press('elsewhere', { channelId: THIRD_USER });
    held.settle(messageWith({ content: 'Vote!' }));
    await bot.clock.advance(2_000);
    bot.press('2');
    bot.unpress('2');
    await bot.clock.advance(4_000);
    bot.press('3');
    await bot.clock.advance(10_000);
    expect(bot.lines.at(-1)).toBe('edit 123');
  });

  it('continues where the last loop over the message stopped, and yields nothing twice', async () => {
    const seen: string[] = [];
    const bot = await startWaitBot(async ({ reply, reactions, clock }) => {
      const sent = await reply('Vote!');
      for (let loop = 0; loop < 2; loop += 1) {
        for await (const { emoji } of reactions(sent, POLL)) {
          seen.push(`${loop}${emoji.unicodeEmoji}`);
          if (seen.length === 1) break;
        }
        await clock.sleep('1s');
      }
      return null;
    });
    bot.type('/x');
    await settle();
    for (const emoji of ['a', 'b']) bot.press(emoji);
    await bot.clock.advance(500);
    bot.press('c');
    await bot.clock.advance(1_000);
    bot.press('d');
    await bot.clock.advance(20_000);
    expect(seen).toEqual(['0a', '1b', '1c', '1d']);
  });

  it('yields what comes after the call for a message that is named by its id', async () => {
    const bot = await startWaitBot(async ({ reactions }) => {
      let seen = '';
      for await (const { emoji } of reactions(MESSAGE, POLL)) seen += emoji.unicodeEmoji;
      return seen;
    });
    bot.press('1');
    bot.type('/x');
    await settle();
    bot.press('2');
    await bot.clock.advance(10_000);
    expect(bot.lines.at(-1)).toBe('respond 2');
  });

  it('remembers the latest 500 of the bot', async () => {
    const bot = await startWaitBot(async ({ reply, reactions, clock }) => {
      const sent = await reply('Vote!');
      await clock.sleep('1s');
      let count = 0;
      for await (const _ of reactions(sent, POLL)) count += 1;
      return String(count);
    });
    bot.type('/x');
    await settle();
    for (let n = 0; n < 501; n += 1) bot.press('1');
    await bot.clock.advance(20_000);
    expect(bot.lines.at(-1)).toBe('edit 500');
  });

  it('ends when the loop is left', async () => {
    const { press, bot, seen, rest } = await count(MESSAGE, 2);
    for (const emoji of ['1', '2', '3']) press(emoji);
    await bot.idle();
    expect([seen, rest.lines]).toEqual([['1', '2'], ['respond 2 votes']]);
  });

  it('leaves no wait behind when the loop is left, however often', async () => {
    const bot = await startWaitBot(async ({ reactions }) => {
      for (let n = 0; n < 30; n += 1) {
        for await (const { emoji } of reactions(MESSAGE, POLL)) if (emoji) break;
      }
      return 'done';
    });
    bot.type('/x');
    for (let n = 0; n < 30; n += 1) {
      await settle();
      bot.press('👍');
    }
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond done']);
  });

  it('keeps 1,000 at most for a loop that is busy', async () => {
    const { press, clock, seen } = await count(MESSAGE);
    for (let n = 0; n < 1_500; n += 1) press('👍');
    await clock.advance(10_000);
    expect(seen.length).toBe(1_000);
  });

  it('listens to the given users', async () => {
    const seen: string[] = [];
    const bot = await startWaitBot(async ({ reactions }) => {
      for await (const { userId } of reactions(MESSAGE, { by: [THIRD_USER], ...POLL }))
        seen.push(userId);
      return null;
    });
    bot.type('/x');
    await settle();
    bot.press('👍');
    bot.press('👍', { userId: THIRD_USER });
    await bot.clock.advance(10_000);
    expect(seen).toEqual([THIRD_USER]);
  });
});
