import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countCalls } from '../../../test/count-calls.js';
import { createTestProject } from '../../../test/test-project.js';
import { until } from '../../../test/until.js';
import { createLoader } from '../../loader/create-loader.js';
import { createCompilerAhead } from './compile-ahead.js';

const FILE = 'commands/a.ts';
const code = (text: string): string => `export const text: string = '${text}';`;

async function open() {
  const project = await createTestProject({ [FILE]: code('first') });
  const file = join(project.root, FILE);
  const loader = createLoader({ root: project.root });
  await loader.importModule(file);
  const ahead = createCompilerAhead(loader);
  ahead.add([join(project.root, 'commands'), join(project.root, 'gone')]);
  const calls = countCalls(project.root);
  onTestFinished(async () => {
    calls[Symbol.dispose]();
    ahead.close();
    await loader.close();
    await project[Symbol.asyncDispose]();
  });
  const write = (text: string): Promise<void> => project.write(FILE, text);
  return { loader, file, calls, write };
}

describe.runIf(process.platform === 'linux')('compiling ahead', () => {
  it('compiles a changed file once, before the reload', async () => {
    const { loader, file, calls, write } = await open();
    await write(code('second'));
    await until(() => expect(calls.compiles).toBe(1));
    await loader.apply([file]);
    expect(calls.compiles).toBe(1);
    expect(loader.current(file)).toMatchObject({ text: 'second' });
  });

  it.each([
    ['half of a file', "export const text: string = '"],
    ['an older text', code('older')],
  ])('drops the output for %s', async (_what, text) => {
    const { loader, file, calls, write } = await open();
    await write(text);
    await until(() => expect(calls.compiles).toBeGreaterThan(0));
    await write(code('last'));
    expect(await loader.apply([file])).toMatchObject({ failures: [] });
    expect(loader.current(file)).toMatchObject({ text: 'last' });
    await write(code('next'));
    const { compiles } = calls;
    await until(() => expect(calls.compiles).toBe(compiles + 1));
    await loader.apply([file]);
    expect(loader.current(file)).toMatchObject({ text: 'next' });
  });
});
