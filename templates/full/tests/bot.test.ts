import { createTestBot, type TestBot } from 'virgule/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let bot: TestBot;
beforeEach(async () => {
  bot = await createTestBot({ random: () => 0.5, env: { GREETING: 'Ahoy' } });
});
afterEach(() => bot.close());

/** Waits for the bot's newest message to say `text`, as someone who reads the channel would. */
const says = (text: string) =>
  vi.waitFor(() => expect(bot.platform.messages().at(-1)?.content).toContain(text));

/** Reacts to the newest message. */
const react = (emoji: string) =>
  bot.platform.react({ messageId: bot.platform.messages().at(-1)?.id ?? '', emoji });

describe('commands', () => {
  it('greets as the environment says', async () => {
    expect((await bot.run('/hello')).text).toBe('Ahoy! 👋');
  });

  it('lists every command', async () => {
    const { text } = await bot.run('/help');
    expect(text).toContain('/roll');
    expect(text).toContain('/note-add');
  });

  it('tells in its own words when it was asked for too much', async () => {
    expect((await bot.run('/roll 1000 100')).text).toContain('more than I can do');
  });

  it('tells a story to its end', async () => {
    expect((await bot.run('/story a fox')).text).toContain('as far as the mill');
  });
});

describe('admin commands', () => {
  /** Starts a bot that takes the server with this id for its own. */
  const inServer = (ADMIN_SERVER_ID?: string) => createTestBot({ env: { ADMIN_SERVER_ID } });
  const ownServer = (): string | undefined =>
    bot.platform.snapshot().servers.find(({ name }) => name === 'Sandbox')?.id;

  it('are refused until a server is named, and say how to name it', async () => {
    const { text } = await bot.run('/admin-uptime');
    expect(text).toContain(`ADMIN_SERVER_ID=${ownServer()}`);
  });

  it('are refused in every other server', async () => {
    await using other = await inServer('00000000-0000-4000-8000-000000000000');
    expect((await other.run('/admin-uptime')).text).toBe('This works in our own server only.');
  });

  it('run in the server that was named', async () => {
    await using own = await inServer(ownServer());
    expect((await own.run('/admin-uptime')).text).toMatch(/^Up for \d+ s\.$/);
  });
});

describe('notes', () => {
  it('are kept for a channel', async () => {
    expect((await bot.run('/note')).text).toContain('No notes yet');
    await bot.run('/note-add buy milk');
    expect((await bot.run('/note')).text).toBe('1. buy milk');
  });

  it('are kept from messages too', async () => {
    bot.platform.sendMessage({ content: '!keep call home' });
    await says('Note 1 is kept.');
    expect((await bot.run('/note')).text).toBe('1. call home');
  });

  it('are thrown away when someone agrees', async () => {
    await bot.run('/note-add buy milk');
    const run = bot.run('/note-clear');
    await says('Throw away 1 notes?');
    react('✅');
    await run;
    expect((await bot.run('/note')).text).toContain('No notes yet');
  });
});

describe('polls', () => {
  it('count one vote for each person', async () => {
    const run = bot.run('/poll "Lunch?" 2s');
    await says('Vote with');
    react('👎');
    react('👍');
    await run;
    expect(bot.platform.messages().at(-1)?.content).toContain('👍 1   👎 0');
  });
});

describe('events', () => {
  it('answers ping with pong', async () => {
    bot.platform.sendMessage({ content: 'ping' });
    await vi.waitFor(() => expect(bot.platform.messages().at(-1)?.content).toBe('pong'));
  });
});
