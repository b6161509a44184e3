import { readFileSync, symlinkSync } from 'node:fs';
import type { Project } from '@virgule/runtime/project';
import { describe, expect, it } from 'vitest';
import { answering } from '../../test/test-project.js';
import { createProjectFolder, type Files } from '../../test/loader/project-folder.js';
import { createLoader } from '../loader/create-loader.js';
import { createProjectReader } from './project-reader.js';

const DICE = `
import { defineCommand } from 'virgule';
import { sides } from '../lib/sides.js';
export default defineCommand({ description: 'Roll', run: () => String(sides) });
`;
const GUARD = 'export default (_context, next) => next();';

/** A project that was read once, and what its reader looks at from then on. */
async function open(files: Files) {
  const project = createProjectFolder(files);
  const loader = createLoader({ root: project.root });
  const asked: string[] = [];
  const warned: string[] = [];
  const recording: typeof loader = {
    ...loader,
    importModule(file) {
      asked.push(file.slice(project.root.length + 1));
      return loader.importModule(file);
    },
  };
  const reader = createProjectReader(project.root, recording, undefined, ({ code }) =>
    warned.push(code),
  );
  const first = await reader.open({});
  /**
   * Takes files over as they are now, with what happens after the loader has looked, and returns which were
   * read for it.
   */
  async function readAfter(between: () => unknown, ...changed: string[]) {
    asked.length = 0;
    const applied = await loader.apply(changed);
    if (applied.restart !== undefined) throw new Error(applied.restart);
    between();
    const read = await reader.read(changed, applied.evaluated);
    const codes = read.problems.map(({ code }) => code);
    return { ...read, codes, asked: asked.toSorted(), names: [...read.project.commands.keys()] };
  }
  const read = (...changed: string[]) => readAfter(() => {}, ...changed);
  return { ...project, first, warned, read, readAfter };
}

describe('createProjectReader', () => {
  it('forgets the commands of a folder that was replaced by a file', async () => {
    const { path, read, remove, write } = await open({
      'commands/hello.ts': answering('hi'),
      'commands/admin/ban.ts': answering('banned'),
    });
    remove('commands/admin');
    const { names, codes } = await read(
      write('commands/admin', 'no folder'),
      path('commands/admin/ban.ts'),
    );
    expect({ names, codes }).toEqual({ names: ['hello'], codes: [] });
  });

  it('reads only what is made of a file that changed', async () => {
    const { write, read } = await open({
      'lib/sides.ts': 'export const sides = 6;',
      'commands/dice.ts': DICE,
      'commands/hello.ts': answering('hi'),
      'commands/admin/ban.ts': answering('banned'),
      'commands/admin/_middleware.ts': GUARD,
    });
    const helper = await read(write('lib/sides.ts', 'export const sides = 8;'));
    expect(helper).toMatchObject({ asked: ['commands/dice.ts'], isNew: true, codes: [] });
    const guard = await read(write('commands/admin/_middleware.ts', `${GUARD}\n`));
    expect(guard.asked).toEqual(['commands/admin/_middleware.ts', 'commands/admin/ban.ts']);
    expect(guard.names).toHaveLength(3);
    const same = await read(write('commands/hello.ts', answering('hi')));
    expect(same).toMatchObject({ asked: [], isNew: false });
  });

  it('warns of each file that it reads', async () => {
    const whole = `import { z } from 'zod';\n${DICE}`;
    const files = { 'lib/sides.ts': 'export const sides = 6;', 'commands/dice.ts': whole };
    const { write, read, warned } = await open(files);
    expect(warned).toEqual(['E_ZOD_IMPORT']);
    await read(write('commands/hello.ts', answering('hi')));
    expect(warned).toEqual(['E_ZOD_IMPORT']);
    await read(write('commands/dice.ts', DICE));
    expect(warned).toEqual(['E_ZOD_IMPORT']);
    // Once, although an invalid file is read again with each change.
    await read(write('commands/dice.ts', whole.replace('run:', 'walk:')));
    await read(write('commands/hello.ts', answering('hello')));
    expect(warned).toEqual(['E_ZOD_IMPORT', 'E_ZOD_IMPORT']);
  });

  it('reads tasks, and keeps the last version of one that is invalid', async () => {
    const { write, remove, read } = await open({ 'commands/hello.ts': answering('hi') });
    const tasks = ({ project }: { readonly project: Project }) =>
      [...project.tasks.values()].map(({ name, settings }) => [name, settings['every']]);
    const task = (every: string) => `export default { every: '${every}', run() {} };`;
    const came = await read(write('tasks/digest.ts', task('1h')));
    expect([came.asked, came.isNew, tasks(came)]).toEqual([
      ['tasks/digest.ts'],
      true,
      [['digest', '1h']],
    ]);
    const wrong = await read(write('tasks/digest.ts', task('hourly')));
    expect([wrong.codes, tasks(wrong)]).toEqual([['E_SETTING'], [['digest', '1h']]]);
    const right = await read(write('tasks/digest.ts', task('2h')));
    expect([right.codes, tasks(right)]).toEqual([[], [['digest', '2h']]]);
    expect(tasks(await read(remove('tasks/digest.ts')))).toEqual([]);
  });

  it('reads new files, and all below a new guard', async () => {
    const { write, remove, read } = await open({
      'commands/hello.ts': answering('hi'),
      'commands/admin/ban.ts': answering('banned'),
    });
    const came = await read(write('commands/bye.ts', answering('bye')));
    expect(came).toMatchObject({ asked: ['commands/bye.ts'], isNew: true });
    expect(came.names.toSorted()).toEqual(['admin-ban', 'bye', 'hello']);
    const guarded = await read(write('commands/admin/_middleware.ts', GUARD));
    expect(guarded.asked).toEqual(['commands/admin/_middleware.ts', 'commands/admin/ban.ts']);
    const gone = await read(remove('commands/hello.ts'));
    expect(gone).toMatchObject({ asked: [], isNew: true });
    expect(gone.names.toSorted()).toEqual(['admin-ban', 'bye']);
  });

  it('reports what is wrong in a file until it is read again, and keeps its last version', async () => {
    const { write, read } = await open({
      'commands/hello.ts': answering('hi'),
      'commands/bye.ts': answering('bye'),
    });
    const wrong = await read(
      write('commands/hello.ts', 'export const description = "no handler";'),
    );
    expect(wrong).toMatchObject({ codes: ['E_NO_HANDLER'], isNew: false });
    const other = await read(write('commands/bye.ts', answering('see you')));
    expect(other).toMatchObject({ codes: ['E_NO_HANDLER'], isNew: true });
    const fixed = await read(write('commands/hello.ts', answering('hello')));
    expect(fixed).toMatchObject({ codes: [], isNew: true });
  });

  it('reports an alias that another command has until one of the two is changed', async () => {
    const rolling = `export default { description: 'Roll', run: () => 'r', aliases: ['r'] };`;
    const { write, remove, read } = await open({ 'commands/r.ts': answering('r') });
    const taken = await read(write('commands/roll.ts', rolling));
    expect(taken.codes).toEqual(['E_COMMAND_CONFLICT']);
    expect((await read(write('commands/a.ts', answering('a')))).codes).toEqual([
      'E_COMMAND_CONFLICT',
    ]);
    expect((await read(remove('commands/r.ts'))).codes).toEqual([]);
  });

  it('reads a file that could not run as soon as it can, whatever was changed for it', async () => {
    const { first, write, read } = await open({
      'lib/sides.ts': 'throw new Error("no sides");\nexport const sides = 6;',
      'commands/dice.ts': DICE,
      'commands/hello.ts': answering('hi'),
    });
    expect(first.problems.map(({ code }) => code)).toEqual(['E_LOAD_FAILED']);
    const fixed = await read(write('lib/sides.ts', 'export const sides = 6;'));
    expect(fixed).toMatchObject({ asked: ['commands/dice.ts'], codes: [], isNew: true });
  });

  it('declares the types of tasks that are added and deleted', async () => {
    const { path, write, remove, read } = await open({ 'commands/hello.ts': answering('hi') });
    const declared = () => /tasks\/.*/.exec(readFileSync(path('.virgule/types.d.ts'), 'utf8'));
    const task = 'export default { run() {} };';
    await read(write('tasks/remind.ts', task));
    expect(declared()).not.toBeNull();
    await read(remove('tasks/remind.ts'));
    expect(declared()).toBeNull();
  });

  it('retries what it could not read, although the loader reports it only once', async () => {
    const { path, write, remove, read } = await open({
      'commands/hello.ts': answering('hi'),
      'commands/bye.ts': answering('bye'),
    });
    // A folder that cannot be read, by whomever.
    symlinkSync(path('src'), path('src'));
    const changed = [
      write('commands/hello.ts', answering('hello')),
      write('commands/new.ts', answering('new')),
    ];
    await expect(read(...changed)).rejects.toMatchObject({ code: 'E_PROJECT_UNREADABLE' });
    const next = await read(remove('src'), write('commands/bye.ts', answering('see you')));
    expect(next).toMatchObject({ codes: [], isNew: true });
    expect(next.asked).toEqual(['commands/bye.ts', 'commands/hello.ts', 'commands/new.ts']);
  });

  it('follows a link of a command whose target has changed, although no save names the link', async () => {
    const { path, read, remove, write } = await open({
      'commands/hello.ts': answering('hi'),
      'v1/a.ts': 'export default { description: 1, run() {} };',
      'v2/a.ts': answering('second'),
    });
    symlinkSync(path('v1'), path('current'));
    symlinkSync(path('current/a.ts'), path('commands/a.ts'));
    expect(await read(path('commands/a.ts'))).toMatchObject({ codes: ['E_DESCRIPTION'] });
    remove('current');
    symlinkSync(path('v2'), path('current'));
    const next = await read(write('commands/hello.ts', answering('hello')));
    expect(next).toMatchObject({ codes: [], names: ['a', 'hello'] });
  });

  it('reads a file that was gone for the loader and is back for the reader, and each later save', async () => {
    const project = await open({ 'commands/hello.ts': answering('old') });
    const { write, remove } = project;
    const back = () => write('commands/hello.ts', answering('new'));
    const read = await project.readAfter(back, remove('commands/hello.ts'));
    expect(read).toMatchObject({ asked: ['commands/hello.ts'], isNew: true, codes: [] });
    const later = await project.read(write('commands/hello.ts', answering('newer')));
    expect(later).toMatchObject({ asked: ['commands/hello.ts'], isNew: true });
  });

  it('leaves a name to the file that had it while another one claims it', async () => {
    const { write, remove, read } = await open({ 'commands/admin/ban.ts': answering('old') });
    const before = await read();
    const contested = await read(write('commands/admin-ban.ts', answering('new')));
    expect(contested).toMatchObject({ codes: ['E_COMMAND_CONFLICT'], isNew: false });
    expect(contested.project.commands.get('admin-ban')).toBe(
      before.project.commands.get('admin-ban'),
    );
    const settled = await read(remove('commands/admin/ban.ts'));
    expect(settled).toMatchObject({ codes: [], isNew: true, names: ['admin-ban'] });
    expect(settled.project.commands.get('admin-ban')?.file).toBe('commands/admin-ban.ts');
  });
});
