import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { projectOf } from '../../../test/project-of.js';
import { startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import { describeCommands } from './command.js';
import { formatHelp } from './help-command.js';

const run = (): string => 'done';
const modules = {
  'commands/roll.ts': {
    default: {
      description: 'Roll some dice',
      options: z.object({
        sides: z.int().min(2).default(6).describe('Faces on each die'),
        note: z.string().optional(),
      }),
      run,
    },
  },
  'commands/greet.ts': {
    default: { description: 'Greet', options: z.object({ who: z.string().describe('Whom') }), run },
  },
};
const describeAll = async () => describeCommands(await projectOf(modules));

describe('CommandContext.commands', () => {
  it('returns name, description, usage and options of every command, in order', async () => {
    expect(await describeAll()).toEqual([
      {
        name: 'greet',
        aliases: [],
        description: 'Greet',
        usage: '/greet <who…>',
        meta: {},
        options: [{ name: 'who', description: 'Whom', type: 'string', required: true }],
      },
      {
        name: 'roll',
        aliases: [],
        description: 'Roll some dice',
        usage: '/roll [sides=6] [note…]',
        meta: {},
        options: [
          {
            name: 'sides',
            description: expect.stringContaining('Faces on each die'),
            type: 'integer',
            required: false,
          },
          { name: 'note', description: 'Text', type: 'string', required: false },
        ],
      },
    ]);
  });

  it('finds a command by its alias, and shows the alias', async () => {
    const project = await projectOf({
      'commands/roll.ts': { default: { description: 'Roll', run, aliases: ['r', 'dice'] } },
    });
    const infos = describeCommands(project);
    expect(formatHelp(infos, '/r')).toBe('/roll: Roll (also /r, /dice)');
  });

  it('makes a help of two lines, that knows the new commands after a reload', async () => {
    const help = {
      'commands/help.ts': {
        default: {
          description: 'Show this',
          run: ({ commands }: CommandContext) => formatHelp(commands),
        },
      },
    };
    const bot = await startTestBot(help);
    await bot.run('/help');
    bot.bot.use(await projectOf({ ...help, ...modules }));
    await bot.run('/help');
    expect(bot.lines).toEqual([
      'respond /help: Show this',
      'respond /greet <who…>: Greet\n/help: Show this\n/roll [sides=6] [note…]: Roll some dice',
    ]);
  });

  it('is made once, however many commands run', async () => {
    const seen = new Set<unknown>();
    const bot = await startTestBot({
      'commands/x.ts': {
        description: 'x',
        default: ({ commands }: CommandContext) => void seen.add(commands),
      },
    });
    await bot.run('/x');
    await bot.run('/x');
    expect(seen.size).toBe(1);
  });
});

describe('formatHelp', () => {
  it('has a line for each command', async () => {
    expect(formatHelp(await describeAll())).toBe(
      '/greet <who…>: Greet\n/roll [sides=6] [note…]: Roll some dice',
    );
    expect(formatHelp([])).toBe('There are no commands.');
  });

  it('describes one command with its options, with or without the slash', async () => {
    const commands = await describeAll();
    const greet = '/greet <who…>: Greet\nwho: Whom';
    for (const name of ['greet', '/greet', ' /Greet '])
      expect(formatHelp(commands, name)).toBe(greet);
    expect(formatHelp(commands, 'roll')).toMatch(/\nsides \(optional\): Faces/);
  });

  it('lists the commands for an unknown name', async () => {
    expect(formatHelp(await describeAll(), 'gone')).toBe(
      'There is no command /gone. There are /greet, /roll.',
    );
  });

  it.each([
    ['mentions', '@everyone <@&1>', '@\u200Beveryone <@\u200B&1>'],
    ['lines', 'a\n# b', 'a # b'],
    ['more than a name', 'x'.repeat(1_900), `${'x'.repeat(59)}…`],
  ])('shows no %s of an unknown name', async (_, typed, shown) => {
    expect(formatHelp(await describeAll(), typed)).toBe(
      `There is no command /${shown}. There are /greet, /roll.`,
    );
  });
});
