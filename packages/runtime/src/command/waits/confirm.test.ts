import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { BOT_USER, interactionId, MESSAGE, OTHER_CHANNEL, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import { settle } from '../../../test/test-bot.js';
import type { ConfirmOptions } from './wait-calls.js';

const THIRD_USER = interactionId(9);

/** A bot whose /x asks, and the results of confirm(). */
async function ask(options?: ConfirmOptions) {
  const reported: boolean[] = [];
  const bot = await startWaitBot(async ({ confirm }) => {
    reported.push(await confirm('Sure?', options));
    return null;
  });
  bot.type('/x');
  await settle();
  return { ...bot, bot: bot.bot, reported };
}

describe('confirm', () => {
  it('writes the question, puts the two reactions under it, and takes its own back afterwards', async () => {
    const { press, rest, reported, bot } = await ask();
    expect(rest.lines).toEqual(['respond Sure?', 'reactions.add', 'reactions.add']);
    expect(rest.calls.slice(1).map(({ args }) => args.slice(1))).toEqual([
      [MESSAGE, { unicodeEmoji: '✅' }],
      [MESSAGE, { unicodeEmoji: '❌' }],
    ]);
    press('✅');
    await bot.idle();
    expect(reported).toEqual([true]);
    expect(rest.lines.slice(3)).toEqual(['reactions.remove', 'reactions.remove']);
  });

  it('is false when ❌ is pressed, and when no one presses anything within 30 s', async () => {
    const no = await ask();
    no.press('❌');
    await no.bot.idle();
    expect(no.reported).toEqual([false]);

    const late = await ask();
    await late.clock.advance(29_999);
    expect(late.reported).toEqual([]);
    await late.clock.advance(1);
    expect(late.reported).toEqual([false]);
    late.press('✅');
    await late.bot.idle();
    expect(late.reported).toEqual([false]);
  });

  it('listens to no one when the user is undefined', async () => {
    // Code such as `by: user && [user.id]` passes it.
    const { press, clock, reported } = await ask({ by: undefined });
    press('✅');
    await settle();
    expect(reported).toEqual([]);
    await clock.advance(30_000);
    expect(reported).toEqual([false]);
  });

  it('waits from when the reactions can be pressed', async () => {
    const reported: boolean[] = [];
    const bot = await startWaitBot(async ({ confirm }) => {
      reported.push(await confirm('Sure?', { within: '2s' }));
      return null;
    });
    const first = bot.rest.hold('reactions.add');
    bot.type('/x');
    await bot.clock.advance(5_000);
    first.settle();
    await bot.clock.advance(1_999);
    expect(reported).toEqual([]);
    bot.press('✅');
    await bot.bot.idle();
    expect(reported).toEqual([true]);
  });

  it('waits for the given duration', async () => {
    const { clock, reported } = await ask({ within: '2m' });
    await clock.advance(119_999);
    expect(reported).toEqual([]);
    await clock.advance(1);
    expect(reported).toEqual([false]);
  });

  it('listens to anyone but this bot by default', async () => {
    const anyone = await ask();
    anyone.press('✅', { userId: BOT_USER.toUpperCase() });
    await settle();
    expect(anyone.reported).toEqual([]);
    anyone.press('✅', { userId: THIRD_USER });
    await anyone.bot.idle();
    expect(anyone.reported).toEqual([true]);

    const some = await ask({ by: [OTHER_USER.toUpperCase()] });
    some.press('✅', { userId: THIRD_USER });
    await settle();
    expect(some.reported).toEqual([]);
    some.press('❌', { userId: OTHER_USER });
    await some.bot.idle();
    expect(some.reported).toEqual([false]);
  });

  it('accepts one id for that user alone, and an empty list for no one', async () => {
    const one = await ask({ by: OTHER_USER as unknown as readonly string[] });
    one.press('✅', { userId: THIRD_USER });
    await settle();
    expect(one.reported).toEqual([]);
    one.press('✅');
    await one.bot.idle();
    expect(one.reported).toEqual([true]);

    const noOne = await ask({ by: [] });
    noOne.press('✅');
    await noOne.clock.advance(30_000);
    expect(noOne.reported).toEqual([false]);
  });

  it('does not mind other emojis, other messages, other channels and reactions taken back', async () => {
    const { press, unpress, reported, clock } = await ask();
    press('👍');
    press('✅', { messageId: THIRD_USER });
    press('✅', { channelId: OTHER_CHANNEL });
    press('✅', { emoji: { kind: 'custom', customEmojiId: THIRD_USER, customEmojiName: '✅' } });
    unpress('✅');
    await clock.advance(29_000);
    expect(reported).toEqual([]);
    // Under any name of the platform, and with or without the variation selector.
    press('✅\ufe0f', { emoji: { kind: 'emoji', unicodeEmoji: '✅\ufe0f' } });
    await settle();
    expect(reported).toEqual([true]);
  });

  it('finds its question in the channel when the platform does not show what was written', async () => {
    const bot = await startWaitBot(async ({ confirm }) => String(await confirm('Sure?')));
    bot.rest.always('interactions.respond', () => undefined);
    bot.rest.always('messages.list', {
      messages: [messageWith({ content: 'Sure?' })],
      hasMore: false,
      oldestId: null,
    });
    bot.type('/x');
    await settle();
    bot.press('✅');
    await bot.bot.idle();
    expect(bot.lines).toContain('edit true');
  });

  it('asks in a follow-up when there is an answer already', async () => {
    const bot = await startWaitBot(async ({ reply, confirm }) => {
      await reply('First');
      return String(await confirm('Sure?'));
    });
    bot.type('/x');
    await settle();
    bot.press('✅');
    await bot.bot.idle();
    expect(bot.lines.filter((line) => !line.startsWith('reactions'))).toEqual([
      'respond First',
      'followUp Sure?',
      'edit true',
    ]);
  });

  it('fails when it may not react', async () => {
    const bot = await startWaitBot(async ({ confirm }) => String(await confirm('Sure?')));
    bot.rest.once('reactions.add', refused(403));
    await bot.run('/x');
    expect(bot.log.at('error')[0]).toMatch(/^\/x failed: /);
  });

  it('leaves no wait behind when it fails, however often', async () => {
    const codes = new Set<unknown>();
    const bot = await startWaitBot(async ({ confirm }) => {
      for (let n = 0; n < 30; n += 1) {
        await confirm('Sure?').catch((error: unknown) =>
          codes.add(error instanceof VirguleError && error.code),
        );
      }
      return 'done';
    });
    bot.rest.always('reactions.add', refused(403));
    await bot.run('/x');
    expect([...codes]).toEqual(['E_API_REFUSED']);
  });

  it('continues when its own reactions cannot be removed', async () => {
    const bot = await startWaitBot(async ({ confirm }) => String(await confirm('Sure?')));
    bot.rest.always('reactions.remove', refused(500));
    bot.type('/x');
    await settle();
    bot.press('✅');
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('edit true');
  });

  it('takes an answer that is quicker than the platform with its own', async () => {
    const bot = await startWaitBot(async ({ confirm }) => String(await confirm('Sure?')));
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    bot.press('✅');
    held.settle(messageWith({ content: 'Sure?' }));
    await settle();
    expect(bot.lines.at(-1)).toBe('edit true');
  });
});
