import { expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing.js';
import { createTestProject } from './test-project.js';

const FILES = {
  'commands/_middleware.ts': `export default ({ options }, next) => (options.n === 2 ? 'Not two.' : next());`,
  'commands/once.ts': `import * as z from 'zod';
    export default { description: 'Once', messages: true, tool: 'writes', cooldown: { limit: 1, every: '1m' },
      options: z.object({ n: z.int().max(9) }), run: ({ options }) => 'ran ' + options.n };`,
  'commands/slot.ts': `import * as z from 'zod';
    export default { description: 'Slot', messages: true, tool: 'writes', concurrency: { max: 1, when: 'reject' },
      options: z.object({}), run: async ({ clock }) => { await clock.sleep('2m'); return 'done'; } };`,
};

it('refuses every caller in the same words: input, guard, cooldown, busy', async () => {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  await using bot = await createTestBot({ root: project.root });
  const seen = [];
  for (const via of ['slash', 'message', 'code', 'model'] as const) {
    const refusals = [];
    for (const n of [10, 2, 1, 1]) {
      const { content, result, followUps } = await bot.run('once', { n }, { via });
      refusals.push([result, content?.replace('!once', '/once'), followUps]);
    }
    const holding = bot.run('/slot');
    await bot.idle();
    const { content, result } = await bot.run('slot', {}, { via });
    refusals.push([result, content?.replace('!slot', '/slot')]);
    await bot.clock.advance('2m');
    expect((await holding).content).toBe('done');
    seen.push(refusals);
  }
  const [slash, ...others] = seen;
  expect(slash?.map(([result]) => result)).toEqual(['input', 'ok', 'ok', 'cooldown', 'busy']);
  for (const each of others) expect(each).toEqual(slash);
});

it('asks the author of a message before a tool runs, also across a kill', async () => {
  const project = await createTestProject({
    'commands/pay.ts': `import * as z from 'zod';
      export default { description: 'Pay', tool: { asks: 'author' }, options: z.object({ to: z.string() }),
        run: ({ options, caller, author }) => 'Paid ' + options.to + ' for a ' + caller + ', ' + author };`,
    'events/message-create.ts': `export default { event: 'MESSAGE_CREATE', run: async ({ data, tools, reply }) => {
      if (data.content.startsWith('bot,'))
        await reply((await tools('pay').pay.execute({ to: 'x\`\`\` @everyone' })).content);
    } };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  await using bot = await createTestBot({ root: project.root });
  const texts = () => bot.platform.messages().map(({ content }) => content);
  await bot.as('ada').say('bot, pay');
  const question = bot.platform.messages().find(({ content }) => content.includes('/pay'));
  expect(question?.content).toEqual(
    expect.stringMatching(
      /^A language model asks to run this. <@[-\da-f]+> can approve it:\n```\n\/pay\nto: x`\u200B`` @\u200Beveryone\n```$/,
    ),
  );
  expect(texts().at(-1)).toBe('Asked. The answer will be in the chat.');
  await bot.restart({ kill: true });
  await bot.as('grace').react('✅', question?.id);
  await bot.as('ada').react('✅', question?.id);
  await bot.idle();
  expect(texts().slice(-1)).toEqual(['Paid x``` @everyone for a model, undefined']);
  expect(bot.platform.messages().at(-1)?.replyTo).toMatchObject({ messageId: question?.id });
});
