import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createTestProject } from './test-project.js';

const TEST = (name: string): string => `
  import assert from 'node:assert/strict';
  import { after, test } from 'node:test';
  import { createTestBot } from 'virgule/testing';
  const bot = await createTestBot();
  after(() => bot.close());
  test('says its name and how often', async () => {
    assert.equal((await bot.run('/say ${name}')).content, '${name} 1');
    assert.equal((await bot.run('say', { name: '${name}' })).content, '${name} 2');
  });
  test('moves the clock', async () => {
    const waiting = bot.run('/wait');
    await bot.clock.advance('1h');
    assert.equal((await waiting).content, 'done');
  });`;

it('runs in files of the test runner of Node.js, side by side', async () => {
  const project = await createTestProject({
    'commands/say.ts': `
      import * as z from 'zod';
      let times = 0;
      export default {
        description: 'Say',
        options: z.object({ name: z.string() }),
        run: ({ options }: { options: { name: string } }) => options.name + ' ' + (times += 1),
      };`,
    'commands/wait.ts': `
      export default { description: 'Wait', run: async ({ clock }) => (await clock.sleep('10m'), 'done') };`,
    'tests/one.test.mjs': TEST('one'),
    'tests/two.test.mjs': TEST('two'),
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-concurrency=2', 'tests/one.test.mjs', 'tests/two.test.mjs'],
    { cwd: project.root },
  );
  expect(stdout).toMatch(/^(#|ℹ) pass 4$/m);
});
