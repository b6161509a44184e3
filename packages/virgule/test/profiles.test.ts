// Users of a bot see the same on each platform that the Bot Interface allows.
import { PROFILE_NAMES, PROFILES } from '@virgule/core/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import type { TestBot } from '../src/testing/test-bot.js';
import { createTestProject } from './test-project.js';

const command = (body: string, settings = ''): string =>
  `import * as z from 'zod';
   import { option, UserError } from 'virgule';
   export default { description: 'Test', messages: true, ${settings} run: ${body} };`;

const FILES = {
  'commands/hello.ts': command(`() => 'Hello!'`),
  'commands/steps.ts': command(
    `async function* ({ clock }) { yield 'one'; await clock.sleep('1s'); yield 'two'; return 'three'; }`,
  ),
  'commands/slow.ts': command(`async ({ clock }) => { await clock.sleep('10s'); return 'late'; }`),
  'commands/more.ts': command(
    `async ({ reply, here }) => {
       const first = await reply('first');
       await first.edit('edited');
       const second = await reply('second');
       await (await here.send('gone')).delete();
       await here.send('read: ' + (await second.message()).content);
     }`,
  ),
  'commands/files.ts': command(
    `() => ({ content: 'look', files: [{ name: 'a.txt', data: Buffer.from('hello') }] })`,
  ),
  'commands/fail.ts': command(`() => { throw new UserError('not today'); }`),
  'commands/silent.ts': command(`() => null`, `silent: true,`),
  'commands/sure.ts': command(
    `async ({ confirm }) => (await confirm('Sure?', { by: 'anyone', within: '30s' })) ? 'done' : 'left'`,
    `intents: ['MESSAGE_REACTIONS'],`,
  ),
  'commands/name.ts': command(
    `async ({ reply, waitForMessage }) => {
       await reply('Who?');
       const answer = await waitForMessage({ within: '30s' });
       return 'Hello ' + answer.content;
     }`,
    `intents: ['SERVER_MESSAGES'],`,
  ),
  'events/message-create.ts': `export default async ({ data, reply }) => {
    if (data.content === 'ping') await reply('pong');
  };`,
  'events/message-delete.ts': `export default async ({ data, services }) => services.seen.push(data.messageId);`,
  'events/message-reaction-add.ts': `export default async ({ data, services }) => services.seen.push(data.emoji);`,
};

async function start(name: (typeof PROFILE_NAMES)[number]) {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const seen: unknown[] = [];
  const bot = await createTestBot({
    root: project.root,
    profile: PROFILES[name],
    services: { seen },
    strict: true,
  });
  onTestFinished(() => bot.close());
  return { bot, seen };
}

/** The current contents of the bot's messages. */
const shown = (bot: TestBot): string[] =>
  bot.platform
    .messages()
    .flatMap(({ content, isDeleted, authorUsername }) =>
      isDeleted || authorUsername !== 'demo-bot' ? [] : [content],
    );

describe.each(PROFILE_NAMES)('a bot on the platform %s', (name) => {
  it('answers, edits, follows up and deletes', async () => {
    const { bot } = await start(name);
    expect((await bot.run('/hello')).content).toBe('Hello!');
    expect(await bot.run('/fail')).toMatchObject({ content: expect.stringContaining('not today') });
    await bot.run('/silent');
    await bot.run('/more');
    expect(shown(bot)).toEqual([
      'Hello!',
      expect.stringContaining('not today'),
      'edited',
      'second',
      'read: second',
    ]);
  });

  it('shows every step of a generator, and defers what is slow', async () => {
    const { bot } = await start(name);
    const steps = bot.run('/steps');
    await bot.clock.advance('5s');
    expect((await steps).content).toBe('three');
    const slow = bot.run('/slow');
    await bot.clock.advance('20s');
    expect(await slow).toMatchObject({ content: 'late', deferred: true });
  });

  it('sends files', async () => {
    const { bot } = await start(name);
    const { files } = await bot.run('/files');
    expect(files).toMatchObject([{ name: 'a.txt', size: 5 }]);
  });

  it('waits for a reaction and for a message', async () => {
    const { bot } = await start(name);
    const sure = bot.run('/sure');
    await bot.as('ada').react('✅');
    expect((await sure).content).toBe('done');
    const named = bot.run('/name');
    await bot.as('grace').say('Grace');
    expect((await named).content).toBe('Hello Grace');
  });

  it('shows the same for a message as for a slash command', async () => {
    const { bot } = await start(name);
    const runEach = async (run: (name: string) => Promise<unknown>): Promise<string[]> => {
      const before = shown(bot).length;
      for (const each of ['hello', 'steps', 'slow', 'more', 'files', 'fail', 'silent']) {
        const ran = run(each);
        await bot.clock.advance('20s');
        await ran;
      }
      const sure = run('sure');
      await bot.as('ada').react('✅');
      await sure;
      const named = run('name');
      await bot.as('grace').say('Grace');
      await named;
      return shown(bot).slice(before);
    };
    const bySlash = await runEach((each) => bot.run(`/${each}`));
    expect(bySlash).toContain('three');
    expect(await runEach((each) => bot.say(`!${each}`))).toEqual(bySlash);
  });

  it('receives events', async () => {
    const { bot, seen } = await start(name);
    expect((await bot.say('ping')).replies).toEqual(['pong']);
    const { id: messageId } = bot.platform.messages().at(-1) ?? { id: '' };
    bot.platform.react({ messageId, emoji: '🎉' });
    await bot.idle();
    expect(seen).toEqual([expect.objectContaining({ unicodeEmoji: '🎉' })]);
    await bot.run('/more');
    expect(seen.at(-1)).toMatch(/^[\da-f-]{36}$/);
  });
});
