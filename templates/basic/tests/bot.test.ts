import { createTestBot } from 'virgule/testing';
import { expect, it } from 'vitest';

it('says hello', async () => {
  await using bot = await createTestBot();
  const { content } = await bot.run('/hello');
  expect(content).toBe('Hello! 👋');
});
