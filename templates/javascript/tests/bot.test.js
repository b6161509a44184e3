import { createTestBot } from 'virgule/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** @type {Awaited<ReturnType<typeof createTestBot>>} */
let bot;
beforeEach(async () => {
  bot = await createTestBot({ random: () => 0.5 });
});
afterEach(() => bot.close());

describe('commands', () => {
  it('says hello', async () => {
    expect((await bot.run('/hello')).content).toBe('Hello! 👋');
  });

  it('rolls as many dice as asked', async () => {
    expect((await bot.run('/roll 20 3')).content).toBe('11 + 11 + 11');
  });

  it('stores notes per channel', async () => {
    expect((await bot.run('/note')).content).toContain('No notes yet');
    expect((await bot.run('/note-add buy milk')).content).toBe('Added note 1.');
    expect((await bot.run('/note')).content).toBe('1. buy milk');
  });
});

describe('events', () => {
  it('answers ping with pong', async () => {
    expect((await bot.say('ping')).replies).toEqual(['pong']);
  });
});
