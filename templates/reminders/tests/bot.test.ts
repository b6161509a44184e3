import { createFakeClock, createTestBot } from 'virgule/testing';
import { describe, expect, it } from 'vitest';

const HOUR_MS = 60 * 60 * 1_000;

/** A bot whose clock the test advances, from 2026-01-01 00:00 UTC on. */
async function start() {
  const clock = createFakeClock();
  const bot = await createTestBot({ clock });
  return {
    bot,
    [Symbol.asyncDispose]: () => bot.close(),
    /** Advances the clock, and returns the last message. */
    async after(ms: number) {
      await clock.advance(ms);
      await bot.idle();
      return bot.platform.messages().at(-1)?.content;
    },
  };
}

describe('reminders', () => {
  it('reminds the channel when the time has come', async () => {
    await using test = await start();
    const { text } = await test.bot.run('/remind 2h make tea');
    expect(text).toBe('I will remind you at Thu, 01 Jan 2026 02:00:00 GMT.');
    expect(await test.after(2 * HOUR_MS - 1)).toBe(text);
    expect(await test.after(1)).toBe('⏰ make tea');
  });

  it('lists and cancels reminders', async () => {
    await using test = await start();
    await test.bot.run('/remind 2h make tea');
    await test.bot.run('/remind 1h boil water');
    const { text } = await test.bot.run('/reminders');
    expect(text).toMatch(/^1\. .*: boil water\n2\. .*: make tea$/);
    expect((await test.bot.run('/forget 1')).text).toBe('Canceled: boil water');
    expect((await test.bot.run('/forget 2')).text).toBe('There is no reminder 2.');
    expect(await test.after(3 * HOUR_MS)).toBe('⏰ make tea');
    expect((await test.bot.run('/reminders')).text).toContain('no reminders');
  });
});

describe('the digest', () => {
  it('lists the reminders of the day every morning', async () => {
    await using test = await start();
    await test.bot.run('/remind 12h make tea');
    await test.bot.run('/remind 3d make coffee');
    await test.bot.run('/digest on');
    const digest = await test.after(8 * HOUR_MS);
    expect(digest).toMatch(/^Today:\n- .*: make tea$/);
  });
});
