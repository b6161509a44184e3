import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answering, createTestProject } from '../../test/test-project.js';
import { until } from '../../test/until.js';
import { createTestBot } from './create-test-bot.js';

const FILES = {
  'tsconfig.json': '{ "extends": "./base.json" }',
  'base.json': '{ "compilerOptions": { "strict": true } }',
  'virgule.config.ts': `export default { separator: '-' };`,
  'services.ts': `export default () => ({});`,
  'lib/word.ts': `export const word = 'Hello';`,
  'commands/hello.ts': `
    import * as z from 'zod';
    import { word } from '../lib/word.js';
    export default { description: 'H', options: z.object({ name: z.string() }),
      run: ({ options }) => word + ' ' + options.name };`,
};

/** Returns the files of a folder that a call reads. */
async function filesReadBy(root: string, call: () => Promise<void>): Promise<string[]> {
  const files: string[] = [];
  const note = (file: unknown): void => {
    if (String(file).startsWith(root) && fs.existsSync(String(file)))
      files.push(String(file).slice(root.length + 1));
  };
  const { readFileSync } = fs;
  const { readFile } = fs.promises;
  const spies = [
    vi.spyOn(fs, 'readFileSync').mockImplementation((...given) => {
      note(given[0]);
      return readFileSync(...given);
    }),
    vi.spyOn(fs.promises, 'readFile').mockImplementation((...given) => {
      note(given[0]);
      return readFile(...given);
    }),
  ];
  syncBuiltinESMExports();
  try {
    await call();
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
  return files;
}

it('createTestBot reads a file once for all bots, and again after a change', async () => {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const { root } = project;
  const readsOf = (answer: string) =>
    filesReadBy(root, async () => {
      await using bot = await createTestBot({ root });
      expect((await bot.run('hello', { name: 'Ada' })).content).toBe(answer);
    });
  const first = await readsOf('Hello Ada');
  expect(first).toEqual(expect.arrayContaining(Object.keys(FILES)));
  // A file that was written a moment ago is read again, because its stats do not show the next change.
  await until(async () => expect(await readsOf('Hello Ada')).toEqual([]));
  await project.write('lib/word.ts', FILES['lib/word.ts'].replace('Hello', 'Salve'));
  expect(await readsOf('Salve Ada')).toContain('lib/word.ts');
  await project.write('commands/new.ts', answering('new'));
  expect(await readsOf('Salve Ada')).toContain('commands/new.ts');
});
