import { describe, expect, it } from 'vitest';
import { interactionId, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { settle } from '../../../test/test-bot.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import type { PaginateOptions } from './wait-calls.js';

const THIRD_USER = interactionId(9);
const isText = (line: string): boolean => !line.startsWith('reactions.');

async function book(pages: readonly string[], options?: PaginateOptions) {
  const ended: string[] = [];
  const bot = await startWaitBot(async ({ paginate }) => {
    await paginate(pages, options);
    ended.push('ended');
  });
  bot.type('/x');
  await settle();
  return {
    ...bot,
    bot: bot.bot,
    ended,
    get texts() {
      return bot.lines.filter(isText);
    },
  };
}

describe('paginate', () => {
  it('shows the first page with two reactions, and the others as they are pressed', async () => {
    const test = await book(['one', 'two', 'three']);
    expect(test.rest.lines).toEqual(['respond one', 'reactions.add', 'reactions.add']);
    for (const emoji of ['▶️', '▶️', '◀️']) {
      test.press(emoji);
      await test.clock.advance(250);
    }
    expect(test.texts).toEqual(['respond one', 'edit two', 'edit three', 'edit two']);
  });

  it('turns for a reaction that arrives before the response of the platform', async () => {
    const bot = await startWaitBot(async ({ paginate }) => void (await paginate(['one', 'two'])));
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    bot.press('▶️');
    held.settle(messageWith({ content: 'one' }));
    await bot.clock.advance(250);
    expect(bot.lines.filter(isText)).toEqual(['respond one', 'edit two']);
  });

  it('turns also when a reaction is removed, so that one press is enough', async () => {
    const test = await book(['one', 'two', 'three']);
    test.press('▶️');
    await test.clock.advance(250);
    test.unpress('▶️');
    await test.clock.advance(250);
    expect(test.texts).toEqual(['respond one', 'edit two', 'edit three']);
  });

  it('stops at the first and the last page, and edits nothing there', async () => {
    const test = await book(['one', 'two']);
    test.press('◀️');
    await test.clock.advance(250);
    test.press('▶');
    await test.clock.advance(250);
    test.press('▶️');
    await test.clock.advance(250);
    expect(test.texts).toEqual(['respond one', 'edit two']);
  });

  it('edits at most every 250 ms, and shows where the reader is by then', async () => {
    const test = await book(['1', '2', '3', '4', '5']);
    for (let n = 0; n < 4; n += 1) test.press('▶️');
    await settle();
    test.press('◀️');
    await test.clock.advance(249);
    expect(test.texts).toEqual(['respond 1', 'edit 5']);
    await test.clock.advance(1);
    expect(test.texts).toEqual(['respond 1', 'edit 5', 'edit 4']);
  });

  it('ends a minute after a page was turned last, and takes its reactions back', async () => {
    const test = await book(['one', 'two']);
    await test.clock.advance(59_000);
    test.press('▶️');
    await test.clock.advance(59_999);
    expect(test.ended).toEqual([]);
    await test.clock.advance(1);
    expect(test.ended).toEqual(['ended']);
    expect(test.rest.lines.slice(-2)).toEqual(['reactions.remove', 'reactions.remove']);
    test.press('◀️');
    await settle();
    expect(test.texts).toHaveLength(2);
  });

  it('turns only for the given users, and for the given duration', async () => {
    const test = await book(['one', 'two'], { by: [THIRD_USER], within: '5s' });
    test.press('▶️', { userId: OTHER_USER });
    await test.clock.advance(4_000);
    expect(test.texts).toEqual(['respond one']);
    test.press('▶️', { userId: THIRD_USER });
    await test.clock.advance(4_999);
    expect([test.texts, test.ended]).toEqual([['respond one', 'edit two'], []]);
    await test.clock.advance(1);
    expect(test.ended).toEqual(['ended']);
  });

  it('turns for no other emoji and under no other message, and lasts no longer for them', async () => {
    const test = await book(['one', 'two']);
    await test.clock.advance(59_000);
    test.press('👍');
    test.press('▶️', { messageId: interactionId(77) });
    test.unpress('▶️', { messageId: interactionId(77) });
    await test.clock.advance(999);
    expect([test.texts, test.ended]).toEqual([['respond one'], []]);
    await test.clock.advance(1);
    expect([test.texts, test.ended]).toEqual([['respond one'], ['ended']]);
  });

  it('ends when the bot shuts down, and leaves the page as it is', async () => {
    const test = await book(['one', 'two']);
    await test.bot.close();
    expect([test.texts, test.ended]).toEqual([['respond one', 'close'], ['ended']]);
    expect(test.log.at('error')).toEqual([]);
  });

  it('writes a single page and waits for nothing', async () => {
    const test = await book(['only']);
    expect([test.rest.lines, test.ended]).toEqual([['respond only'], ['ended']]);
  });

  it('refuses to show no pages at all', async () => {
    const test = await book([]);
    expect(test.log.at('error')).toEqual(['/x failed: /x passed no page to paginate().']);
  });
});
