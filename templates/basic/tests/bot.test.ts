import { createTestBot } from 'virgule/testing';
import { describe, expect, it, vi } from 'vitest';

describe('commands', () => {
  it('says hello', async () => {
    await using bot = await createTestBot();
    const { text } = await bot.run('/hello');
    expect(text).toBe('Hello! 👋');
  });

  it('rolls as many dice as asked', async () => {
    await using bot = await createTestBot({ random: () => 0.5 });
    const { text } = await bot.run('/roll 20 3');
    expect(text).toBe('11 + 11 + 11');
  });

  it('reports an invalid option', async () => {
    await using bot = await createTestBot();
    const { text } = await bot.run('/roll many');
    expect(text).toContain('sides');
  });
});

describe('events', () => {
  it('answers ping with pong', async () => {
    await using bot = await createTestBot();
    bot.platform.sendMessage({ content: 'ping' });
    await vi.waitFor(() => expect(bot.platform.messages().at(-1)?.content).toBe('pong'));
  });
});
