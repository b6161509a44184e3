import { expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import { createTestProject } from './test-project.js';

const LONG = `'x'.repeat(3_000)`;
const NOWHERE = `channel('7c0f9c1e-0000-5000-8000-000000000000')`;

it.each([
  ['/x', `here.send(${LONG})`],
  ['/x', `${NOWHERE}.send('hi')`],
  ['/x', `here.append([{}])`],
  ['events/message-create.ts', `reply(${LONG})`],
  ['events/message-create.ts', `here.send(${LONG})`],
  ['events/message-create.ts', `append([{}])`],
  ['events/message-create.ts', `${NOWHERE}.send('hi')`],
  ['tasks/x.ts', `${NOWHERE}.send('hi')`],
])('a message of %s that nothing waits for is reported if it fails: %s', async (owner, call) => {
  const handler = `run: ({ here, channel, reply, append }: any) => { void ${call}; }`;
  const files = {
    'commands/x.ts': `export default { description: 'X', silent: true, ${handler} };`,
    'commands/plan.ts': `export default {
      description: 'P', run: async ({ tasks }: any) => void (await tasks.x.in('1s')), silent: true };`,
    'events/message-create.ts': `export default { event: 'MESSAGE_CREATE', ${handler} };`,
    'tasks/x.ts': `export default { ${handler} };`,
    'virgule.config.ts': `
      import { defineConfig, memory } from 'virgule';
      export default defineConfig({ storage: memory() });`,
  };
  await using project = await createTestProject(files);
  const bot = await createTestBot({ root: project.root });
  onTestFinished(() => bot.close().catch(() => {}));
  const act = async (): Promise<unknown> => {
    if (owner.startsWith('/')) return bot.run('/x');
    if (owner.startsWith('events/')) return bot.say('hello');
    await bot.run('/plan');
    return bot.clock.advance('1m');
  };
  await expect(act().then(() => bot.close())).rejects.toMatchObject({
    code: 'E_TEST_STRICT',
    message: expect.stringContaining(
      `a message of ${owner} was not sent, and its handler did not wait for it: `,
    ),
  });
});
