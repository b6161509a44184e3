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
