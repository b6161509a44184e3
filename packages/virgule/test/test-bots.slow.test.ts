import { expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing.js';
import { answering, createTestProject } from './test-project.js';

it('1,000 test bots, stopped and killed, leave no handle', async () => {
  const project = await createTestProject({
    'commands/hello.ts': answering('Hello!'),
    'commands/long.ts': `export default { description: 'L', run: ({ clock }) => clock.sleep('1h') };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const handles = () => process.getActiveResourcesInfo().length;
  let before = 0;
  for (let index = 0; index < 1_001; index += 1) {
    // The first bot starts esbuild.
    if (index === 1) before = handles();
    await using bot = await createTestBot({ root: project.root, strict: false });
    bot.run('/long').catch(() => {});
    expect((await bot.run('/hello')).content).toBe('Hello!');
    if (index % 3 > 0) await bot.restart({ kill: index % 3 === 1 });
    if (index % 5 === 0) bot.dropSocket();
  }
  expect(handles()).toBeLessThanOrEqual(before);
});
