import { defineCommand, option } from '@virgule/runtime';
import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { createTestBot } from './create-test-bot.js';
import type { TestBot, TestRun } from './test-bot.js';

const roll = defineCommand({
  description: 'Roll',
  options: z.object({ sides: z.int().default(6), label: z.string() }),
  run: () => 'ok',
});

it('types the options of commands that a test names', () => {
  expectTypeOf(createTestBot<{ roll: typeof roll }>()).resolves.toEqualTypeOf<
    TestBot<{ roll: typeof roll }>
  >();
  const check = (bot: TestBot<{ roll: typeof roll }>): void => {
    expectTypeOf(bot.run('roll', { label: 'a' })).resolves.toEqualTypeOf<TestRun>();
    void bot.as('ada').in('#general').run('roll', { sides: 20, label: 'a' });
    // @ts-expect-error -- a number is required.
    void bot.run('roll', { sides: 'many', label: 'a' });
    // @ts-expect-error -- `label` is missing.
    void bot.run('roll', { sides: 20 });
    // @ts-expect-error -- there is no such command.
    void bot.run('rol', { label: 'a' });
    void bot.run('/anything else');
  };
  expectTypeOf(check).toBeFunction();
});

it('lets a test omit a user whose default is the author', () => {
  const coins = defineCommand({
    description: 'Coins',
    options: z.object({ user: option.user({ default: 'author' }), other: option.user() }),
    run: ({ options }) => options.user.id,
  });
  const check = (bot: TestBot<{ coins: typeof coins }>): void => {
    void bot.as('ada').run('coins', { other: '@grace' }, { via: 'message' });
    // @ts-expect-error -- `other` is required.
    void bot.run('coins', { user: '@grace' });
  };
  expectTypeOf(check).toBeFunction();
});

it('takes any options of commands that it does not name', () => {
  const check = (bot: TestBot): void => void bot.run('roll', { sides: 20 });
  expectTypeOf(check).toBeFunction();
});
