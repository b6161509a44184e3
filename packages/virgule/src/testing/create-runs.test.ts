import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import { matchers, type ChatMatchers } from './matchers.js';
import type { TestBotOptions } from './test-bot.js';

expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<T> extends ChatMatchers {}
}

const IMPORTS = `import * as z from 'zod'; import { requireAuthor, UserError } from 'virgule';\n`;
const FILES = {
  'commands/roll.ts': `${IMPORTS}
    export default { description: 'Roll', tool: 'reads', messages: true,
      options: z.object({ sides: z.int().max(100).default(6) }),
      async run({ options, caller, author, reply }) {
        if (options.sides === 1) throw new UserError('One side?');
        await reply('d' + options.sides + ' ' + caller + ' ' + (author?.username ?? 'no one'));
        await reply({ content: 'more', files: [{ name: 'a.txt', data: 'abc' }] });
      } };`,
  'commands/secret.ts': `export default { description: 'S', run: () => 'secret' };`,
  'commands/twice.ts': `export default { description: 'T', async run({ call, clock }) {
    await call('roll', { sides: 20 }); await call('sleep', {}); return 'twice'; } };`,
  'commands/sleep.ts': `export default { description: 'S', messages: true, run: async ({ clock }) => { await clock.sleep('5m'); return 'slept'; } };`,
  'commands/report.ts': `export default { description: 'R', run: async ({ reply }) => {
    await reply({ files: ['data/report.txt'] }); } };`,
  'data/report.txt': '12345',
  'commands/work.ts': `export default { description: 'W', async run() {
    for (let n = 0; n < 50; n += 1) await new Promise((r) => setImmediate(r)); return 'worked'; } };`,
  'events/message-create.ts': `export default async ({ data, tools }) => {
    if (data.content === 'ask') await tools().roll.execute({ sides: 8 }); };`,
};

async function start(options: TestBotOptions = {}) {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(() => bot.close());
  return bot;
}

describe('run with via', () => {
  it.each([
    ['slash', 'no one'],
    ['message', 'ada'],
    ['code', 'ada'],
    ['model', 'no one'],
  ] as const)('runs a command for the caller %s', async (via, author) => {
    const bot = await start();
    const ada = bot.as('ada');
    expect(await ada.run('roll', { sides: 20 }, { via })).toMatchObject({
      content: `d20 ${via} ${author}`,
      followUps: ['more'],
      replies: [`d20 ${via} ${author}`, 'more'],
      files: [{ name: 'a.txt', size: 3 }],
      result: 'ok',
      state: 'answered',
      error: undefined,
    });
    const refused = await ada.run('roll', { sides: 101 }, { via });
    expect(refused).toMatchObject({ result: 'input', followUps: [] });
    expect(refused.content).toContain('sides: expected a whole number');
    expect(await ada.run('roll', { sides: 1 }, { via })).toMatchObject({
      content: 'One side?',
      result: 'user-error',
    });
  });

  it('refuses a command that is no tool', async () => {
    const bot = await start();
    const ran = bot.run('secret', {}, { via: 'model' });
    await expect(ran).rejects.toMatchObject({ code: 'E_CALL' });
    expect((await bot.run('secret', {}, { via: 'code' })).content).toBe('secret');
  });

  it.each(['slash', 'code'] as const)('reads files in the folder of the bot: %s', async (via) => {
    const bot = await start();
    const { files } = await bot.run('report', {}, { via });
    expect(files).toEqual([{ name: 'report.txt', size: 5 }]);
  });

  it.each(['slash', 'message', 'code'] as const)('counts as one handler: %s', async (via) => {
    const bot = await start();
    const waiting = bot.run('sleep', {}, { via });
    const working = bot.run('/work');
    await bot.idle();
    expect(bot.platform.messages().at(-1)?.content).toBe('worked');
    await bot.clock.advance('5m');
    expect([(await waiting).content, (await working).content]).toEqual(['slept', 'worked']);
  });

  it('ends with the process', async () => {
    const bot = await start();
    const ran = bot.run('sleep', {}, { via: 'code' });
    await bot.idle();
    await bot.restart({ kill: true });
    expect(await ran).toMatchObject({ content: undefined, result: 'stopped' });
  });
});

describe('called', () => {
  it('has the commands that a handler and a model called', async () => {
    const bot = await start();
    const ran = bot.run('/twice');
    await bot.idle();
    await bot.clock.advance('5m');
    const run = await ran;
    expect(run.called).toEqual([
      { command: 'roll', options: { sides: 20 }, caller: 'code' },
      { command: 'sleep', options: {}, caller: 'code' },
    ]);
    expect(run).toHaveCalled('roll', { sides: 20 });
    expect(run).toHaveCalled('sleep');
    expect(run).not.toHaveCalled('roll', { sides: 6 });
    expect(() => expect(run).toHaveCalled('roll', { sides: 6 })).toThrow(
      /expected to call roll with \{ sides: 6 \}:\n#general[^]*\n {2}called roll \{ sides: 20 \}/,
    );
    expect(await bot.say('ask')).toHaveCalled('roll', { sides: 8 });
  });
});
