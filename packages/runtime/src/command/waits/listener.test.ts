import { describe, expect, it } from 'vitest';
import { VirguleError } from '@virgule/core/errors';
import { OTHER_USER } from '../../../test/ids.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import type { CommandContext } from '../context/command-context.js';
import { isEmoji } from './listener.js';

describe('isEmoji', () => {
  it.each([
    ['the emoji', { kind: 'unicode', unicodeEmoji: '✅' }, true],
    ['it, under another kind', { kind: 'standard', unicodeEmoji: '✅' }, true],
    ['it, with the mark of colour', { kind: 'unicode', unicodeEmoji: '✅\ufe0f' }, true],
    ['another emoji', { kind: 'unicode', unicodeEmoji: '❌' }, false],
    ['a custom emoji of that name', { kind: 'custom', customEmojiName: '✅' }, false],
    ['a kind that says nothing', { kind: 'new' }, false],
  ])('knows %s', (_, emoji, is) => {
    expect(isEmoji(emoji, '✅')).toBe(is);
  });
});

describe('a call that waits', () => {
  // As JavaScript may pass it, against the types.
  const wrong = { within: '2s', user: OTHER_USER } as never;

  it.each<[call: string, known: string, run: (context: CommandContext) => unknown]>([
    ['confirm()', 'by, within', ({ confirm }) => confirm('Sure?', wrong)],
    ['paginate()', 'by, within', ({ paginate }) => paginate(['1', '2'], wrong)],
    ['reactions()', 'by, within, filter', ({ reactions }) => reactions('x', wrong).next()],
    [
      'waitForMessage()',
      'from, within, filter, channelId',
      ({ waitForMessage }) => waitForMessage(wrong),
    ],
  ])('refuses an option that %s does not have: anyone would count', async (call, known, run) => {
    const thrown: unknown[] = [];
    const bot = await startWaitBot(async (context) => {
      try {
        await run(context);
      } catch (error) {
        thrown.push(error);
      }
      return 'done';
    });
    await bot.run('/x');
    expect(bot.lines).toEqual(['respond done']);
    expect(thrown).toEqual([expect.any(VirguleError)]);
    expect(thrown[0]).toMatchObject({
      code: 'E_UNKNOWN_KEY',
      message: `${call} in commands/x.ts has an unknown key "user".`,
      hint: `Use one of ${known}.`,
    });
  });
});
