import { describe, expect, it } from 'vitest';
import { loadModules } from '../../../test/project-of.js';
import { startTestBot } from '../../../test/test-bot.js';
import { defineCommand } from './define-command.js';
import { defineMiddleware } from './define-middleware.js';
import { helpCommand } from './help-command.js';

const COMMAND = { description: 'Does it', run: () => 'x' };

describe('helpCommand', () => {
  it('lists the commands, or shows one', async () => {
    const bot = await startTestBot({
      'commands/help.ts': { default: helpCommand() },
      'commands/x.ts': { default: () => 'x', description: 'Does x' },
    });
    expect(await bot.run('/help')).toEqual([
      'respond /help [command…]: Show what this bot can do\n/x: Does x',
    ]);
    await bot.run('/help x');
    expect(bot.lines.at(-1)).toBe('respond /x: Does x');
  });

  it('shows how messages run a command', async () => {
    const bot = await startTestBot({
      'commands/help.ts': { default: helpCommand() },
      'commands/only.ts': { default: { ...COMMAND, messages: 'only', aliases: ['o'] } },
      'commands/x.ts': { default: { ...COMMAND, messages: true } },
    });
    expect(await bot.run('/help')).toEqual([
      [
        'respond /help [command…]: Show what this bot can do',
        '!only: Does it (also !o)',
        '/x: Does it (also !x)',
      ].join('\n'),
    ]);
  });
});

describe('the meta of a command', () => {
  it('is there for middleware and for a help', async () => {
    const bot = await startTestBot({
      'commands/_middleware.ts': {
        default: defineMiddleware(({ meta, commands }, next) =>
          meta['isOwnerOnly'] === true
            ? `refused: ${String(commands[0]?.meta['category'])}`
            : next(),
        ),
      },
      'commands/x.ts': {
        default: defineCommand({
          description: 'Does x',
          meta: { isOwnerOnly: true, category: 'admin' },
          run: () => 'x',
        }),
      },
    });
    expect(await bot.run('/x')).toEqual(['respond refused: admin']);
  });

  it('is an object', async () => {
    const { problems } = await loadModules({
      'commands/x.ts': { default: { description: 'Does x', run: () => 'x', meta: 'admin' } },
    });
    expect(problems).toMatchObject([{ code: 'E_SETTING', details: { key: 'meta' } }]);
  });
});
