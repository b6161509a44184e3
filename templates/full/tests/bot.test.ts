import { createTestBot, type TestBot } from 'virgule/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let bot: TestBot;
beforeEach(async () => {
  bot = await createTestBot({ random: () => 0.5, env: { GREETING: 'Ahoy' } });
});
afterEach(() => bot.close());

describe('commands', () => {
  it('greets with the word from the environment', async () => {
    expect((await bot.run('/hello')).content).toBe('Ahoy! 👋');
  });

  it('lists every command', async () => {
    const { content } = await bot.run('/help');
    expect(content).toContain('/roll');
    expect(content).toContain('/note-add');
  });

  it('answers with a custom message when a limit is exceeded', async () => {
    const { content } = await bot.run('/roll 1000 100');
    expect(content).toContain('more than I can do');
  });

  it('writes a complete story', async () => {
    const run = bot.run('/story a fox');
    await bot.clock.advance('10s');
    const { content, edits } = await run;
    expect(content).toContain('as far as the mill');
    expect(edits.length).toBeGreaterThan(5);
  });
});

describe('admin commands', () => {
  /** Starts a bot that takes the server with this id for its own. */
  const inServer = (ADMIN_SERVER_ID?: string) => createTestBot({ env: { ADMIN_SERVER_ID } });
  const ownServer = (): string | undefined =>
    bot.platform.snapshot().servers.find(({ name }) => name === 'Sandbox')?.id;

  it('are refused until a server is named, and say how to name it', async () => {
    const { content } = await bot.run('/admin-uptime');
    expect(content).toContain(`ADMIN_SERVER_ID=${ownServer()}`);
  });

  it('are refused in every other server', async () => {
    await using other = await inServer('00000000-0000-4000-8000-000000000000');
    expect((await other.run('/admin-uptime')).content).toBe(
      'This command works only in our own server.',
    );
  });

  it('run in the server that was named', async () => {
    await using own = await inServer(ownServer());
    await own.clock.advance('90s');
    expect((await own.run('/admin-uptime')).content).toBe('Up for 90 s.');
  });
});

describe('notes', () => {
  it('are stored per channel', async () => {
    expect((await bot.run('/note')).content).toContain('No notes yet');
    await bot.run('/note-add buy milk');
    expect((await bot.run('/note')).content).toBe('1. buy milk');
  });

  it('can be added by a message', async () => {
    expect((await bot.say('!note-add call home')).replies).toEqual(['Added note 1.']);
    expect((await bot.run('/note')).content).toBe('1. call home');
  });

  it('are deleted after confirmation', async () => {
    await bot.run('/note-add buy milk');
    const run = bot.run('/note-clear');
    await bot.react('✅');
    expect((await run).transcript).toContain('Delete 1 notes?');
    expect((await bot.run('/note')).content).toContain('No notes yet');
  });
});

describe('polls', () => {
  it('count the votes of a week, with three deploys in between', async () => {
    const { content } = await bot.run('/poll --within 7d Lunch at noon?');
    expect(content).toContain('**Lunch at noon?**\nVote with');
    await bot.as('grace').react('👍');
    for (let deploy = 1; deploy <= 3; deploy += 1) {
      await bot.restart();
      await bot.clock.advance('2d');
    }
    await bot.as('linus').react('👎');
    await bot.clock.advance('1d');
    expect(bot.platform.messages().at(-1)?.content).toContain('👍 1   👎 1');
  });
});

describe('events', () => {
  it('answers ping with pong', async () => {
    expect((await bot.say('ping')).replies).toEqual(['pong']);
  });
});
