import { describe, expect, it } from 'vitest';
import { settle, startTestBot } from '../../../test/test-bot.js';
import type { CommandDefinition } from '../define/define-command.js';

const FILE = 'commands/x.ts';

/** Runs a command twice, and returns the warnings. */
async function warningsOf(
  run: CommandDefinition['run'],
  settings: Partial<CommandDefinition> = {},
): Promise<unknown[]> {
  const intents = ['MESSAGE_REACTIONS', 'SERVER_MESSAGES'] as const;
  const definition = { description: 'X', intents, run, ...settings };
  const bot = await startTestBot({ [FILE]: { default: definition } });
  for (const _ of [1, 2]) {
    bot.type('/x');
    await settle();
  }
  const found = bot.log.lines.filter(({ level }) => level === 'warn');
  await bot.bot.close();
  return found.map(({ details: { command, file, err } }) => ({ command, file, err }));
}

describe('a wait that the timeout of its command ends first', () => {
  it.each<[string, string, CommandDefinition['run'], Partial<CommandDefinition>]>([
    [
      'waitForMessage()',
      '5s',
      async ({ waitForMessage }) => (await waitForMessage({ within: '5s' }))?.content,
      { timeout: '5s' },
    ],
    [
      'confirm()',
      '30s',
      async ({ confirm }) => ((await confirm('Sure?')) ? 'Yes.' : 'No.'),
      { timeout: '20s' },
    ],
    [
      'reactions()',
      '20m',
      async ({ reply, reactions }) => {
        for await (const _ of reactions(await reply('Vote!'), { within: '20m' })) return 'Over.';
        return null;
      },
      {},
    ],
  ])('is reported once when %s begins', async (call, wait, run, settings) => {
    const timeout = settings.timeout ?? '15m';
    expect(await warningsOf(run, settings)).toEqual([
      {
        command: 'x',
        file: FILE,
        err: expect.objectContaining({
          code: 'E_TIMEOUT_TOO_SHORT',
          message: `${FILE} waits for ${wait} in ${call}, but its timeout of ${timeout} ends it first.`,
          hint: `Set timeout to more than '${wait}', shorten the wait, or ask a question that is stored: tasks.….ask(…).`,
        }),
      },
    ]);
  });

  it.each<[string, CommandDefinition['run'], Partial<CommandDefinition>]>([
    [
      'a wait within the timeout',
      async ({ waitForMessage }) => (await waitForMessage({ within: '5s' }))?.content,
      { timeout: '6s' },
    ],
    [
      'a wait that listens before the question is written',
      async ({ reply, waitForMessage }) => {
        const answer = waitForMessage({ within: '1m' });
        await reply('Who?');
        return (await answer)?.content;
      },
      { defer: 'never' },
    ],
    [
      'a reminder, which goes on after its command',
      ({ clock, here }) => {
        void clock.sleep('2d').then(
          () => here.send('Now!'),
          () => {},
        );
        return 'I will remind you.';
      },
      {},
    ],
  ])('is not %s', async (_, run, settings) => {
    expect(await warningsOf(run, settings)).toEqual([]);
  });
});
