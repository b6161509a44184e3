import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../command/context/command-context.js';
import { startTestBot } from '../../test/test-bot.js';

const withStack = (...lines: readonly string[]): Error => {
  const error = new Error('no database');
  error.stack = ['Error: no database', ...lines.map((line) => `    at ${line}`)].join('\n');
  return error;
};

/** A bot on which /a and /b never end, with a handler of messages. */
async function open() {
  const reported: unknown[] = [];
  const bot = await startTestBot({
    'commands/a.ts': { description: 'a', default: () => new Promise(() => {}) },
    'commands/b.ts': { description: 'b', default: () => new Promise(() => {}) },
    'events/message-create.ts': { default: () => {} },
    'events/error.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
  });
  return { bot, reported };
}

describe('Bot.unhandledRejection', () => {
  it('names the command whose file the stack names', async () => {
    const { bot, reported } = await open();
    bot.type('/a');
    bot.type('/b');
    const error = withStack(
      'save (file:///bot/lib/db.ts:3:1)',
      'run (file:///bot/commands/b.ts:9:5)',
    );
    bot.bot.unhandledRejection(error);
    expect(bot.log.lines.at(-1)).toEqual({
      level: 'error',
      message: 'unhandled rejection in /b: no database',
      details: { command: 'b', file: 'commands/b.ts', err: error },
    });
    expect(reported).toEqual([{ error, source: '/b' }]);
  });

  it('knows a command that has ended', async () => {
    const { bot } = await open();
    bot.bot.unhandledRejection(withStack('run (/bot/commands/a.ts:9:5)'));
    expect(bot.log.lines.at(-1)?.details).toMatchObject({ command: 'a' });
  });

  it('takes the file that is nearest to the top, and whole paths only', async () => {
    const { bot } = await open();
    bot.bot.unhandledRejection(
      withStack(
        'f (/bot/other-commands/a.ts:1:1)',
        'f (/bot/commands/a.tsx:1:1)',
        String.raw`f (C:\bot\commands\b.ts:1:1)`,
        'f (/bot/commands/a.ts:1:1)',
      ),
    );
    expect(bot.log.lines.at(-1)?.details).toMatchObject({ command: 'b' });
  });

  it('names an event file', async () => {
    const { bot, reported } = await open();
    bot.bot.unhandledRejection(withStack('f (/bot/events/message-create.ts?v=2:1:1)'));
    expect(bot.log.at('error')).toEqual([
      'unhandled rejection in events/message-create.ts: no database',
    ]);
    expect(reported).toEqual([expect.objectContaining({ source: 'events/message-create.ts' })]);
  });

  it('is no error when a shutdown ended what a handler left running', async () => {
    const bot = await startTestBot({
      'commands/remind.ts': {
        description: 'x',
        default: ({ clock }: CommandContext) => {
          clock.sleep('10m').catch(bot.bot.unhandledRejection);
          return 'I will.';
        },
      },
    });
    bot.type('/remind');
    await bot.bot.idle();
    await bot.bot.close();
    expect(bot.log.at('error')).toEqual([]);
    expect(bot.log.at('debug')).toContain('the shutdown ended what a handler had left running');
  });

  it('names what was running when the stack shows nothing', async () => {
    const { bot } = await open();
    bot.bot.unhandledRejection('just a text');
    bot.type('/b');
    bot.type('/a');
    bot.type('/a');
    bot.bot.unhandledRejection(undefined);
    expect(bot.log.at('error')).toEqual([
      'unhandled rejection: just a text',
      'unhandled rejection while /a, /b ran: undefined',
    ]);
  });
});

describe('a handler of error that fails', () => {
  it('does not receive its own error, which is logged', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      'events/error.ts': {
        default: ({ data }: { data: unknown }) => {
          reported.push(data);
          // Without the guard, the test ends after a few errors.
          if (reported.length < 5) throw new Error('broken handler');
        },
      },
    });
    const error = new Error('no database');
    bot.bot.unhandledRejection(error);
    await bot.bot.idle();
    expect(reported).toMatchObject([{ error }]);
    expect(bot.log.at('error').at(-1)).toBe('events/error.ts failed: broken handler');
  });
});
