import { describe, expect, it } from 'vitest';
import { startCommand, startTestBot } from '../../../test/test-bot.js';
import type { CommandDefinition } from '../define/define-command.js';

describe('a command that returns what its context returned', () => {
  it.each<[string, CommandDefinition['run'], string]>([
    ['a reply', ({ reply }) => reply('hi'), 'respond hi'],
    ['a reply of an async function', async ({ reply }) => reply('hi'), 'respond hi'],
    ['appended text', ({ append }) => append(['hi']), 'respond hi'],
    [
      'a reply at the end of a generator',
      async function* ({ reply }) {
        yield* [];
        return reply('hi');
      },
      'respond hi',
    ],
    [
      'a generator of an async function',
      // The types refuse it; JavaScript may return it.
      (async () =>
        (function* () {
          yield 'hi';
        })()) as unknown as CommandDefinition['run'],
      'respond hi',
    ],
  ])('has answered: %s', async (_, run, line) => {
    const bot = await startCommand({ run }, { development: true });
    expect(await bot.run('/x')).toEqual([line]);
    expect(bot.log.at('warn')).toEqual([]);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('may answer so in an error handler, too', async () => {
    const bot = await startTestBot({
      'commands/_error.ts': {
        default: (_: unknown, { reply }: { readonly reply: (text: string) => Promise<unknown> }) =>
          reply('sorry'),
      },
      'commands/x.ts': {
        default: () => {
          throw new Error('broken');
        },
        description: 'Does x',
      },
    });
    expect(await bot.run('/x')).toEqual(['respond sorry']);
  });
});

describe('an answer with keys that the platform does not support', () => {
  it('is sent without them, with one warning per command and key', async () => {
    const bot = await startCommand({
      run: () => ({ content: 'hi', ...({ embeds: [{}], file: 'a.png' } as object) }),
    });
    await bot.run('/x');
    await bot.run('/x');
    expect(bot.lines).toEqual(['respond hi', 'respond hi']);
    expect(bot.log.at('warn')).toEqual([
      '/x answers with "embeds", which the platform does not support; it is not sent',
      '/x answers with "file", which the platform does not support; did you mean "files"?',
    ]);
  });
});
