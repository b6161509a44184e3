import { createTestBot } from 'virgule/testing';
import { expect, it } from 'vitest';

it('responds', async () => {
  await using bot = await createTestBot();
  expect((await bot.run('/ping')).content).toBe('pong');
});
