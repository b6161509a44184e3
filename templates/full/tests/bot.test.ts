import { createTestBot, type TestBot } from 'virgule/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStoryteller } from '../lib/storyteller.js';

let bot: TestBot;
beforeEach(async () => {
  bot = await createTestBot({ random: () => 0.5, env: { GREETING: 'Ahoy' } });
});
afterEach(() => bot.close());

/** Waits until the newest message in the channel contains `text`. */
const says = (text: string) =>
  vi.waitFor(() => expect(bot.platform.messages().at(-1)?.content).toContain(text));

/** Reacts to the newest message. */
const react = (emoji: string) =>
  bot.platform.react({ messageId: bot.platform.messages().at(-1)?.id ?? '', emoji });

describe('commands', () => {
  it('greets with the word from the environment', async () => {
    expect((await bot.run('/hello')).text).toBe('Ahoy! 👋');
  });

  it('lists every command', async () => {
    const { text } = await bot.run('/help');
    expect(text).toContain('/roll');
    expect(text).toContain('/note-add');
  });

  it('answers with a custom message when a limit is exceeded', async () => {
    expect((await bot.run('/roll 1000 100')).text).toContain('more than I can do');
  });

  it('writes a complete story', async () => {
    // The pauses between the words are for readers.
    const storyteller = createStoryteller({ sleep: () => Promise.resolve() });
    await using fast = await createTestBot({ services: { storyteller } });
    expect((await fast.run('/story a fox')).text).toContain('as far as the mill');
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
    expect((await other.run('/admin-uptime')).text).toBe(
      'This command works only in our own server.',
    );
  });

  it('run in the server that was named', async () => {
    await using own = await inServer(ownServer());
    expect((await own.run('/admin-uptime')).text).toMatch(/^Up for \d+ s\.$/);
  });
});

describe('notes', () => {
  it('are stored per channel', async () => {
    expect((await bot.run('/note')).text).toContain('No notes yet');
    await bot.run('/note-add buy milk');
    expect((await bot.run('/note')).text).toBe('1. buy milk');
  });

  it('can be added by a message', async () => {
    bot.platform.sendMessage({ content: '!keep call home' });
    await says('Added note 1.');
    expect((await bot.run('/note')).text).toBe('1. call home');
  });

  it('are deleted after confirmation', async () => {
    await bot.run('/note-add buy milk');
    const run = bot.run('/note-clear');
    await says('Delete 1 notes?');
    react('✅');
    await run;
    expect((await bot.run('/note')).text).toContain('No notes yet');
  });
});

describe('polls', () => {
  it('count one vote per user', async () => {
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
