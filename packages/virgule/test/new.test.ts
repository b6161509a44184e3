import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

async function projectWith(files: Readonly<Record<string, string>>) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return {
    ...project,
    async virgule(...argv: string[]) {
      const io = createTestIo({ cwd: project.root });
      const code = await run(argv, io);
      return { code, out: io.out, err: io.err };
    },
  };
}

/** Lists a project without what it has installed, which links lead to. */
const filesIn = async (root: string): Promise<readonly string[]> => [
  ...(await readdir(root)),
  ...(await readdir(join(root, 'commands'), { recursive: true })),
];

describe('virgule new', () => {
  it('creates a command that works', async () => {
    const { virgule } = await projectWith({ 'commands/hello.ts': answering('hello') });
    expect(await virgule('new', 'command', 'admin/ban')).toEqual({
      code: 0,
      out: 'commands/admin/ban.ts  /admin-ban\n',
      err: '',
    });
    expect(await virgule('check')).toMatchObject({ code: 0 });
    expect(await virgule('run', '/admin-ban')).toMatchObject({ out: 'Hello from /admin-ban.\n' });
  });

  it('creates an event handler that works', async () => {
    const { virgule } = await projectWith({ 'commands/hello.ts': answering('hello') });
    const { out } = await virgule('new', 'event', 'MESSAGE_CREATE', '--json');
    expect(JSON.parse(out)).toEqual({
      v: 1,
      kind: 'event',
      file: 'events/message-create.ts',
      name: 'MESSAGE_CREATE',
    });
    expect(await virgule('check')).toMatchObject({ code: 0 });
  });

  it('creates a task that works', async () => {
    const { virgule } = await projectWith({ 'commands/hello.ts': answering('hello') });
    expect(await virgule('new', 'task', 'mail/cleanUp')).toMatchObject({
      code: 0,
      out: 'tasks/mail/cleanUp.ts  mail-clean-up\n',
    });
    expect(await virgule('check')).toMatchObject({
      code: 0,
      out: '✓ No problems: 1 command, 0 event handlers, 1 task.\n',
    });
    const { out } = await virgule('check', '--routes', '--json');
    expect(JSON.parse(out)).toMatchObject({
      routes: { tasks: [{ name: 'mail-clean-up', settings: { every: '1h' }, timeoutMs: 900_000 }] },
    });
    expect((await virgule('check', '--routes')).out).toContain('every 1h');
  });

  it.each([
    ['an empty project', {}, 'commands/ban.js'],
    ['a project of TypeScript', { 'tsconfig.json': '{}' }, 'commands/ban.ts'],
    ['sources in src/', { 'src/commands/a.ts': answering('a') }, 'src/commands/ban.ts'],
    ['a package of CommonJS', { 'package.json': '{}' }, 'commands/ban.mjs'],
  ])('follows the layout and the language of %s', async (_, files, file) => {
    const { root, virgule } = await projectWith(files);
    expect(await virgule('new', 'command', '/ban.ts')).toMatchObject({ out: `${file}  /ban\n` });
    expect(await readFile(join(root, file), 'utf8')).toContain('Hello from /ban.');
    expect(await virgule('check')).toMatchObject({ code: 0 });
  });

  it('uses the separator of the configuration', async () => {
    const { virgule } = await projectWith({
      'virgule.config.ts': `export default { separator: '_' };`,
    });
    expect((await virgule('new', 'command', 'admin/ban')).out).toContain('/admin_ban');
  });

  it('never overwrites a file', async () => {
    const { root, virgule } = await projectWith({ 'commands/ban.ts': 'mine' });
    const { code, err } = await virgule('new', 'command', 'ban');
    expect(code).toBe(1);
    expect(err).toContain('[E_NEW_FILE] commands/ban.ts was not created: it already exists.');
    expect(await readFile(join(root, 'commands/ban.ts'), 'utf8')).toBe('mine');
  });

  it.each([
    ...[
      '',
      '/',
      '..',
      '../x',
      '../../x',
      'a/../../b',
      'a\\..\\..\\b',
      './q',
      'a//b',
      '_x',
      '.x',
    ].map((name): [string[], string] => [['command', name], 'E_NEW_FILE']),
    [['event', '../x'], 'E_NEW_FILE'],
    [['event', ''], 'E_NEW_FILE'],
    [['command', 'Größe'], 'E_FILE_NAME'],
    [['command', 'hello/index'], 'E_COMMAND_CONFLICT'],
    [['event', 'message-crate'], 'E_FILE_NAME'],
    [['command'], 'E_ARGUMENTS'],
    [['task', '../x'], 'E_NEW_FILE'],
    [['job', 'nightly'], 'E_ARGUMENTS'],
    [['command', 'a', 'b'], 'E_ARGUMENTS'],
  ])('refuses %j with %s and creates nothing', async (words, error) => {
    const { root, virgule } = await projectWith({ 'commands/hello.ts': answering('hello') });
    const before = await filesIn(root);
    const { code, err } = await virgule('new', ...words);
    expect(code).toBe(1);
    expect(err).toContain(`[${error}]`);
    expect((await virgule('check')).out).toBe('✓ No problems: 1 command, 0 event handlers.\n');
    expect(await filesIn(root)).toEqual(before);
  });

  it.each([
    ['new evnt x', 'new event'],
    ['storage gett x', 'storage get'],
    ['failed lst', 'failed list'],
    ['task canel x', 'task cancel'],
  ])('suggests the word that %s means', async (line, meant) => {
    const { virgule } = await projectWith({});
    const { err } = await virgule(...line.split(' '));
    expect(err).toContain(`Try:  Did you mean \`virgule ${meant}\`?`);
  });

  it('reports only problems of the new file', async () => {
    const { virgule } = await projectWith({
      'commands/hello.ts': answering('hello'),
      'commands/hello/index.ts': answering('hello'),
    });
    expect(await virgule('new', 'command', 'ban')).toMatchObject({ code: 0, err: '' });
  });
});
