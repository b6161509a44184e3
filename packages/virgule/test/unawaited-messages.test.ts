import { expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import type { TestBot } from '../src/testing/test-bot.js';
import { createTestProject } from './test-project.js';

const LONG = `'x'.repeat(3_000)`;
const NOWHERE = `channel('7c0f9c1e-0000-5000-8000-000000000000')`;

/** Returns a project whose command, event handler and task run the code. */
const filesOf = (code: string) => {
  const handler = `run: async ({ here, channel, reply, append, clock }: any) => { ${code} }`;
  return {
    'commands/plan.ts': `export default {
      description: 'P', run: async ({ tasks }: any) => void (await tasks.x.in('1s')), silent: true };`,
    'commands/x.ts': `export default { description: 'X', silent: true, ${handler} };`,
    'events/message-create.ts': `export default { event: 'MESSAGE_CREATE', ${handler} };`,
    'tasks/x.ts': `export default { ${handler} };`,
    'virgule.config.ts': `
      import { defineConfig, memory } from 'virgule';
      export default defineConfig({ storage: memory() });`,
  };
};

async function act(bot: TestBot, owner: string): Promise<void> {
  if (owner.startsWith('/')) await bot.run('/x');
  else if (owner.startsWith('events/')) await bot.say('hello');
  else {
    await bot.run('/plan');
    await bot.clock.advance('1m');
  }
}

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
  await using project = await createTestProject(filesOf(`void ${call};`));
  const bot = await createTestBot({ root: project.root });
  onTestFinished(() => bot.close().catch(() => {}));
  await expect(act(bot, owner).then(() => bot.close())).rejects.toMatchObject({
    code: 'E_TEST_STRICT',
    message: expect.stringContaining(
      `a message of ${owner} was not sent, and its handler did not wait for it: `,
    ),
  });
});

it('a message of a loop in `ready` that nothing waits for is reported at once', async () => {
  await using project = await createTestProject({
    ...filesOf(''),
    'events/ready.ts': `export default {
      event: 'ready',
      run: ({ channel, clock }: any) => (${NOWHERE}.send('hi'), clock.sleep('1h')),
    };`,
  });
  const bot = await createTestBot({ root: project.root });
  await bot.clock.advance('1m');
  await expect(bot.close()).rejects.toMatchObject({ code: 'E_TEST_STRICT' });
});

it.each([
  ['/x', `const p = ${NOWHERE}.send('a'); await here.send('b'); try { await p; } catch {}`],
  ['/x', `for (const p of [here.send('b'), here.send(${LONG})]) try { await p; } catch {}`],
  [
    'events/message-create.ts',
    `const p = reply(${LONG}); await here.send('b'); try { await p; } catch {}`,
  ],
  ['events/message-create.ts', `await Promise.allSettled([here.send('b'), reply(${LONG})]);`],
  [
    'tasks/x.ts',
    `const p = ${NOWHERE}.send('a'); await clock.sleep('5s'); try { await p; } catch {}`,
  ],
])(
  'a message of %s that its handler waits for later is its own affair: %s',
  async (owner, code) => {
    await using project = await createTestProject(filesOf(code));
    const bot = await createTestBot({ root: project.root });
    await expect(act(bot, owner).then(() => bot.close())).resolves.toBeUndefined();
  },
);
