import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestBot } from '../src/testing/create-test-bot.js';
import { runCli } from './run-cli.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

const FILES = {
  'commands/remind.ts': `
    import { defineCommand } from 'virgule';
    import * as z from 'zod';
    export default defineCommand({
      description: 'Remind',
      options: z.object({ text: z.string() }),
      async run({ options, channelId, tasks }) {
        await tasks.remind.in('2h', { channelId, text: options.text });
        return 'I will.';
      },
    });`,
  'tasks/remind.ts': `
    import { defineTask } from 'virgule';
    import * as z from 'zod';
    export default defineTask({
      payload: z.object({ channelId: z.string(), text: z.string() }),
      async run({ payload, channel }) {
        await channel(payload.channelId).send('Now: ' + payload.text);
      },
    });`,
  'commands/where.ts': `
    export default { description: 'Where', async run({ rest, serverId, channelId }) {
      const channels = await rest.servers.channels(serverId);
      return channels.find(({ id }) => id === channelId).name;
    } };`,
  'commands/ask.ts': `
    import { defineCommand } from 'virgule';
    export default defineCommand({
      description: 'Ask',
      intents: ['MESSAGE_REACTIONS'],
      run: async ({ confirm }) =>
        (await confirm('Sure?', { by: 'anyone', within: '5m' })) ? 'Done.' : 'Not done.',
    });`,
};

async function play(text: string, ...flags: string[]) {
  const project = await createTestProject({ ...FILES, 'conversations/chat.txt': text });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root });
  const code = await run(['run', 'conversations/chat.txt', ...flags], io);
  return { code, out: io.out, err: io.err, root: project.root };
}

describe('virgule run FILE', () => {
  it('plays a conversation, and prints it with what the bot wrote', async () => {
    const text = '#general\nada: /remind tea\n+2h\n#bot-spam\ngrace: /ask\nlinus ✅\nada: /where\n';
    const { code, out, err } = await play(text);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        '#general',
        'ada: /remind tea',
        '  demo-bot: I will.',
        '+2h',
        '  demo-bot: Now: tea',
        '#bot-spam',
        'grace: /ask',
        '  demo-bot: Sure?',
        'linus ✅',
        '  demo-bot, edited: Done.',
        'ada: /where',
        '  demo-bot: bot-spam',
        '',
      ].join('\n'),
    );
  });

  it('keeps the chat and the storage across a restart', async () => {
    const { out } = await play('ada: /remind tea\nrestart\n+2h\n', '--json');
    expect(JSON.parse(out)).toEqual({
      v: 1,
      file: 'conversations/chat.txt',
      transcript: 'ada: /remind tea\n  demo-bot: I will.\nrestart\n+2h\n  demo-bot: Now: tea\n',
    });
  });

  it.each([
    ['ada: hi\nada says hi', ':2 cannot be played', 'is not a line'],
    ['ada: /remnd tea', ':1 cannot be played', '/remnd'],
    ['zoe: hi', ':1 cannot be played', 'no user "zoe"'],
    ['zoe: hi', ':1 cannot be played', 'Use a user of the simulator: ada'],
    ['#nowhere', ':1 cannot be played', 'no channel "nowhere"'],
    ['#nowhere', ':1 cannot be played', 'Use a channel of the simulator: general'],
    ['ada: /remnd tea', ':1 cannot be played', 'Did you mean /remind?'],
  ])('refuses %j', async (text, place, reason) => {
    const { code, err } = await play(text);
    expect(code).toBe(1);
    expect(err).toContain('[E_CONVERSATION]');
    expect(err).toContain(place);
    expect(err).toContain(reason);
  });
});

it.each([
  'none.txt',
  'conversations/none.txt',
  './none.txt',
  '/none/none.txt',
  '(fun)/über.txt',
  'ö.txt',
])('refuses the missing file %s', async (file) => {
  const { code, err } = await runCli(FILES, ['run', file]);
  expect(code).toBe(1);
  expect(err).toContain(`${file} cannot be played: ENOENT`);
  expect(err).toContain('Check the path');
  expect(err).not.toContain('Write a line');
});

it('bot.play() plays a conversation in a test', async () => {
  const { root } = await play('ada: /remind tea\nrestart\n+2h\n');
  await using bot = await createTestBot({ root });
  expect(await bot.play('conversations/chat.txt')).toBe(
    'ada: /remind tea\n  demo-bot: I will.\nrestart\n+2h\n  demo-bot: Now: tea\n',
  );
});

it('bot.play() has the advice of the refused line once', async () => {
  const { root } = await play('zoe: hi');
  await using bot = await createTestBot({ root });
  const error = await bot.play('conversations/chat.txt').catch(String);
  expect(error).toMatch(/no user "zoe"\.\nTry: {2}Use a user of the simulator: ada, .*$/);
});
