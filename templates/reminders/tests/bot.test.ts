import { createTestBot, type TestBot } from 'virgule/testing';
import { remindersOf } from '../lib/reminders-of.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let bot: TestBot;
beforeEach(async () => {
  // Its clock begins at 2026-01-01 00:00 UTC. Only the test advances it.
  bot = await createTestBot();
});
afterEach(() => bot.close());

/** Returns the last message of the channel. */
const last = () => bot.platform.messages().at(-1)?.content;

describe('reminders', () => {
  it('reminds the channel when the time has come', async () => {
    const { content } = await bot.run('/remind 2h make tea');
    expect(content).toBe('I will remind you at Thu, 01 Jan 2026 02:00:00 GMT.');
    await bot.clock.advance('119m');
    expect(last()).toBe(content);
    await bot.clock.advance('1m');
    expect(last()).toBe('⏰ make tea');
  });

  it('reminds again in an hour if it is not done, also after a restart', async () => {
    await bot.run('/remind 2h make tea');
    await bot.clock.advance('2h');
    await bot.restart();
    await bot.as('grace').react('❌');
    await bot.idle();
    expect(last()).toBe('Again in an hour.');
    await bot.clock.advance('1h');
    expect(last()).toBe('⏰ make tea');
    await bot.as('grace').react('✅');
    await bot.clock.advance('2h');
    expect(last()).toBe('⏰ make tea');
  });

  it('lists and cancels reminders', async () => {
    await bot.run('/remind 2h make tea');
    await bot.run('/remind 1h boil water');
    const { content } = await bot.run('/reminders');
    expect(content).toMatch(/^1\. .*: boil water\n2\. .*: make tea$/);
    expect((await bot.run('/forget 1')).content).toBe('Canceled: boil water');
    expect((await bot.run('/forget 2')).content).toBe('There is no reminder 2.');
    await bot.clock.advance('3h');
    expect(last()).toBe('⏰ make tea');
    expect((await bot.run('/reminders')).content).toContain('no reminders');
  });
});

it('finds the reminders of a channel behind reminders of others', async () => {
  const run = (n: number, channelId: string) => {
    return { id: String(n).padStart(4, '0'), at: new Date(n), payload: { channelId, text: '' } };
  };
  const all = [...Array.from({ length: 1_000 }, (_, n) => run(n, 'other')), run(1_000, 'mine')];
  const list = ({ after = '', limit = 0 } = {}) =>
    Promise.resolve(all.filter(({ id }) => id > after).slice(0, limit));
  expect(await remindersOf('mine', { remind: { list } })).toEqual([all[1_000]]);
});

describe('the digest', () => {
  it('lists the reminders of the day every morning', async () => {
    await bot.run('/remind 12h make tea');
    await bot.run('/remind 3d make coffee');
    await bot.run('/digest on');
    await bot.clock.advance('8h');
    expect(last()).toMatch(/^Today:\n- .*: make tea$/);
    await bot.run('/digest off');
    const { length } = bot.platform.messages();
    await bot.clock.advance('1d');
    expect(bot.platform.messages().slice(length)).toMatchObject([{ content: '⏰ make tea' }]);
  });
});
