import { createTestBot } from 'virgule/testing';
import { describe, expect, it } from 'vitest';

describe('/roll', () => {
  it('rolls as many dice as asked', async () => {
    await using bot = await createTestBot({ random: () => 0.5 });
    const { content } = await bot.run('/roll 20 3');
    expect(content).toBe('11 + 11 + 11');
  });

  it('reports an invalid option', async () => {
    await using bot = await createTestBot();
    const { content } = await bot.run('/roll many');
    expect(content).toContain('sides');
  });
});

describe('messages', () => {
  it('answers ping with pong', async () => {
    await using bot = await createTestBot();
    expect((await bot.say('ping')).replies).toEqual(['pong']);
  });
});
