import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { settle, startCommand, startTestBot } from '../../test/test-bot.js';
import type { CommandContext } from '../command/context/command-context.js';
import { isInvalidInput } from './error-guards.js';
import { defineErrorHandler } from '../command/define/define-middleware.js';
import { UserError } from './user-error.js';

describe('UserError', () => {
  it('is shown as it is, and is no failure of the bot', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': {
        description: 'x',
        default: () => {
          throw new UserError('There is no anvil in the shop.');
        },
      },
      'events/error.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    expect(await bot.run('/x')).toEqual(['respond There is no anvil in the shop.']);
    expect([bot.log.at('error'), reported]).toEqual([[], []]);
    expect(bot.log.lines.at(-1)).toMatchObject({
      message: '/x answered',
      details: { result: 'user-error', outcome: 'answered' },
    });
  });

  it('comes from middleware too, and after the answer as a further message', async () => {
    const guarded = await startTestBot({
      'commands/_middleware.ts': {
        default: () => {
          throw new UserError('Not here.');
        },
      },
      'commands/x.ts': { description: 'x', default: () => 'never' },
    });
    expect(await guarded.run('/x')).toEqual(['respond Not here.']);

    const late = await startCommand({
      run: async ({ reply }) => {
        await reply('Looking.');
        throw new UserError('Nothing there.');
      },
    });
    expect(await late.run('/x')).toEqual(['respond Looking.', 'followUp Nothing there.']);
  });

  it('keeps what the handler left running from writing over it', async () => {
    let late: Promise<unknown> | undefined;
    const bot = await startCommand({
      run: ({ edit }: CommandContext) => {
        late = settle()
          .then(settle)
          .then(settle)
          .then(() => edit('too late'));
        throw new UserError('Enough.');
      },
    });
    await bot.run('/x');
    await expect(late).rejects.toThrow('Enough.');
    expect(bot.lines).toEqual(['respond Enough.']);
  });

  it.each([
    ['an ordinary error', new Error('secret'), 'Something went wrong.'],
    ['one without words', new UserError(''), 'Something went wrong.'],
    ['one that is too long', new UserError('x'.repeat(2_001)), `${'x'.repeat(1_999)}…`],
  ])('differs from %s', async (_, error, text) => {
    const bot = await startCommand({ run: () => Promise.reject(error) });
    expect(await bot.run('/x')).toEqual([`respond ${text}`]);
  });

  it('is known across two copies of this package, and keeps its cause', () => {
    const brand = Symbol.for('virgule.user-error');
    const other = Object.assign(new Error('from another copy'), { [brand]: true });
    expect(other instanceof UserError).toBe(true);
    expect(new Error('plain') instanceof UserError).toBe(false);
    expect(new UserError('No.', { cause: 7 })).toMatchObject({ name: 'UserError', cause: 7 });
  });
});

describe('isInvalidInput', () => {
  const withHandler = (handler: Parameters<typeof defineErrorHandler>[0]) =>
    startTestBot({
      'commands/_error.ts': { default: defineErrorHandler(handler) },
      'commands/x.ts': {
        default: { description: 'x', options: z.object({ n: z.int() }), run: () => 'done' },
      },
    });

  it('reports to _error.ts that a line could not be read: what was wrong, what was typed, the usage', async () => {
    const bot = await withHandler((error) => {
      if (!isInvalidInput(error)) return undefined;
      const { kind, option, typed, usage, commandName } = error.details;
      return [error.code, kind, option, typed, usage, commandName].join('|');
    });
    expect(await bot.run('/x many')).toEqual(['respond E_INPUT|invalid|n|many|/x <n>|x']);
  });

  it('leaves the wording to the framework when _error.ts has none', async () => {
    const seen: unknown[] = [];
    const bot = await withHandler((error, { options }) => void seen.push(options));
    expect(await bot.run('/x many')).toEqual([
      'respond n: expected a whole number, got "many". Usage: /x <n>',
    ]);
    expect(seen).toEqual([{}]);
  });

  it('is no failure of the bot: nothing is logged as an error', async () => {
    const bot = await withHandler(() => undefined);
    await bot.run('/x many');
    expect(bot.log.at('error')).toEqual([]);
    expect(bot.log.lines.at(-1)?.details).toMatchObject({ result: 'input', outcome: 'answered' });
  });

  it('is not what a handler threw', () => {
    expect(isInvalidInput(new Error('x'))).toBe(false);
    expect(isInvalidInput(undefined)).toBe(false);
  });

  it('is an instance of its own classes only', () => {
    class NotFound extends UserError {}
    class NoMoney extends UserError {}
    expect(new NoMoney('x')).not.toBeInstanceOf(NotFound);
    expect(new NoMoney('x')).toBeInstanceOf(NoMoney);
    expect(new NoMoney('x')).toBeInstanceOf(UserError);
    expect(new UserError('x')).not.toBeInstanceOf(NoMoney);
  });
});
