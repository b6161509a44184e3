import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, createTestProject, type TestProject } from '../../test/test-project.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject } from './open-project.js';

async function projectWith(files: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

async function open(files: Readonly<Record<string, string>>) {
  const { root } = await projectWith(files);
  return openProject(root, createLoader({ root }).importModule);
}

describe('openProject', () => {
  it('returns the project and the files it consists of', async () => {
    const { manifest, project, problems } = await open({
      'commands/hello.ts': answering('hello'),
      'commands/tools/now.ts': answering('now'),
      'commands/tools/_middleware.ts': 'export default (_, next) => next();',
      'commands/hello.test.ts': 'throw new Error("a test is no command");',
    });
    expect(problems).toEqual([]);
    expect(manifest.commands).toMatchObject([
      { name: 'hello', file: 'commands/hello.ts', middleware: [] },
      { name: 'tools-now', middleware: ['commands/tools/_middleware.ts'] },
    ]);
    expect([...project.commands.keys()]).toEqual(['hello', 'tools-now']);
  });

  it('imports every file by its full path, once', async () => {
    const { root } = await projectWith({
      'commands/a.ts': answering('a'),
      'commands/b.ts': answering('b'),
      'commands/_middleware.ts': '',
    });
    const importModule = vi.fn(async (file: string) =>
      file.endsWith('_middleware.ts')
        ? { default: () => {} }
        : { description: 'A', default: () => 'a' },
    );
    await openProject(root, importModule);
    expect(importModule.mock.calls.map(([file]) => file).sort()).toEqual([
      join(root, 'commands', '_middleware.ts'),
      join(root, 'commands', 'a.ts'),
      join(root, 'commands', 'b.ts'),
    ]);
  });

  it('keeps the valid part next to the problems', async () => {
    const { project, problems } = await open({
      'commands/good.ts': answering('good'),
      'commands/bad.ts': 'export {};',
    });
    expect([...project.commands.keys()]).toEqual(['good']);
    expect(problems.map(({ code }) => code)).toEqual(['E_NO_HANDLER']);
  });

  it('sorts problems by file and line, whichever step found them', async () => {
    const { problems } = await open({
      'commands/z.ts': answering('z'),
      'commands/z/index.ts': answering('z'),
      'commands/m.ts': 'export default {',
      'commands/a.ts': `export default {\n  descripton: 'A',\n  description: 'A',\n  runn: 1,\n  run: () => 'a',\n};`,
      'commands/Größe.ts': answering('size'),
    });
    const files = problems.map(({ message }) => /(Größe|a|m|z)(\.ts|\/)/.exec(message)?.[1]);
    expect(files).toEqual(['Größe', 'a', 'a', 'm', 'z']);
    expect(problems[1]?.location?.line).toBe(2);
    expect(problems[2]?.location?.line).toBe(4);
  });

  it('reports that there are no commands, as a problem like any other', async () => {
    const { problems } = await open({ 'index.ts': '' });
    expect(problems).toMatchObject([{ code: 'E_NO_COMMANDS_FOLDER' }]);
  });

  it('finds a project below a folder with spaces and letters of any kind', async () => {
    const folder = 'my bots/Größe 机器人 #1';
    const { root } = await projectWith({
      [`${folder}/commands/hello.ts`]: `export default { description: 'A', run: () => 'a' };`,
    });
    const below = join(root, folder);
    const opened = await openProject(below, createLoader({ root: below }).importModule);
    expect(opened.problems).toEqual([]);
    expect([...opened.project.commands.keys()]).toEqual(['hello']);
  });
});
