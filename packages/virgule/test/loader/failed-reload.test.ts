import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from './failure-of.js';
import { createLoadedProject, taken, type LoadedProject } from './project-folder.js';

describe('apply, failures', () => {
  async function start(options = {}): Promise<LoadedProject> {
    const project = createLoadedProject(
      {
        'a.ts': `import { text } from './lib.js'; export const run = () => text; export const state = {};`,
        'b.ts': `import { text } from './lib.js'; export const run = () => text;`,
        'lib.ts': `export const text = 'good';`,
      },
      options,
    );
    await project.load('a.ts');
    await project.load('b.ts');
    return project;
  }

  it.each([
    ['a syntax error', `export const text = ;`, 'E_SYNTAX'],
    ['an error while loading', `export const text = 'bad'; throw new Error('x');`, 'E_LOAD_FAILED'],
    ['a missing import', `import './none.js'; export const text = 'bad';`, 'E_MODULE_NOT_FOUND'],
    ['a missing export', `export const test = 'bad';`, 'E_EXPORT_MISSING'],
  ])('keeps the last good version after %s, and takes the fixed one', async (_, bad, code) => {
    const { load, edit } = await start();
    const a = await load('a.ts');
    await expect(edit({ 'lib.ts': bad })).rejects.toMatchObject({ code });
    expect(await load('a.ts')).toBe(a);
    expect((a['run'] as () => string)()).toBe('good');
    expect(await edit({ 'lib.ts': `export const text = 'better';` })).toEqual([
      'a.ts',
      'b.ts',
      'lib.ts',
    ]);
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('better');
  });

  /**
   * Writes files and returns what each run function answers afterwards, and the codes of what could not be
   * taken.
   */
  async function save(project: LoadedProject, files: Record<string, string>) {
    const { loader, load, write } = project;
    const result = await loader.apply(
      Object.entries(files).map(([file, text]) => write(file, text)),
    );
    if (result.restart !== undefined) throw new Error(result.restart);
    const answer = async (file: string): Promise<unknown> =>
      ((await load(file))['run'] as () => unknown)();
    return {
      codes: result.failures.map((error) => (error as { code: string }).code),
      a: await answer('a.ts'),
      b: await answer('b.ts'),
    };
  }
  const BROKEN = `export const run = () => ;`;

  it('swaps the saves of other files while one file is broken', async () => {
    const project = await start();
    expect(await save(project, { 'a.ts': BROKEN })).toEqual({
      codes: ['E_SYNTAX'],
      a: 'good',
      b: 'good',
    });
    const b = `import { text } from './lib.js'; export const run = () => 'b ' + text;`;
    expect(await save(project, { 'b.ts': b })).toEqual({
      codes: ['E_SYNTAX'],
      a: 'good',
      b: 'b good',
    });
    // The last good version of the broken file runs again with what it imports.
    expect(await save(project, { 'lib.ts': `export const text = 'new';` })).toEqual({
      codes: ['E_SYNTAX'],
      a: 'new',
      b: 'b new',
    });
    const fixed = `export const run = () => 'fixed';`;
    expect(await save(project, { 'a.ts': fixed })).toEqual({ codes: [], a: 'fixed', b: 'b new' });
  });

  it('takes the valid files of those that were saved together', async () => {
    const project = await start();
    expect(
      await save(project, {
        'lib.ts': `export const text = 'new';`,
        'a.ts': BROKEN,
        'b.ts': `throw new Error('x');`,
      }),
    ).toEqual({ codes: ['E_SYNTAX', 'E_LOAD_FAILED'], a: 'new', b: 'new' });
  });

  it('reports every broken file, not only the first', async () => {
    const project = await start();
    expect((await save(project, { 'a.ts': BROKEN, 'b.ts': BROKEN })).codes).toEqual([
      'E_SYNTAX',
      'E_SYNTAX',
    ]);
    const throwing = `throw new Error('at the top');`;
    expect((await save(project, { 'a.ts': throwing, 'b.ts': throwing })).codes).toEqual([
      'E_LOAD_FAILED',
      'E_LOAD_FAILED',
    ]);
  });

  it('holds back a helper that lost what an untouched file imports, and nothing else', async () => {
    const project = await start();
    const b = `export const run = () => 'alone';`;
    expect(await save(project, { 'lib.ts': `export const other = 'renamed';`, 'b.ts': b })).toEqual(
      { codes: ['E_EXPORT_MISSING'], a: 'good', b: 'alone' },
    );
  });

  it('keeps a deleted helper while a file imports it', async () => {
    const project = await start();
    const { loader, remove } = project;
    expect(await loader.apply([remove('lib.ts')])).toMatchObject({
      failures: [{ code: 'E_MODULE_NOT_FOUND' }, { code: 'E_MODULE_NOT_FOUND' }],
    });
    const b = `export const run = () => 'alone';`;
    expect(await save(project, { 'b.ts': b })).toEqual({
      codes: ['E_MODULE_NOT_FOUND'],
      a: 'good',
      b: 'alone',
    });
  });

  it('holds back all of a cycle when one of it fails', async () => {
    const project = await start();
    const { load, write } = project;
    write('x.ts', `import './y.js'; export const x = 1;`);
    write('y.ts', `import './x.js'; export const run = () => 'cycle';`);
    const y = await load('y.ts');
    const failing = `import './y.js'; export const x = 2; throw new Error('in a cycle');`;
    expect((await save(project, { 'x.ts': failing })).codes).toEqual(['E_LOAD_FAILED']);
    expect(await load('y.ts')).toBe(y);
  });

  it('tries changes that failed again with the next ones', async () => {
    const { load, edit } = await start();
    await expect(
      edit({ 'a.ts': `import { more } from './lib.js'; export const run = () => more;` }),
    ).rejects.toMatchObject({
      code: 'E_EXPORT_MISSING',
    });
    expect(
      await edit({ 'lib.ts': `export const text = 'good'; export const more = 'more';` }),
    ).toEqual(['a.ts', 'b.ts', 'lib.ts']);
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('more');
  });

  it('goes back to the state of the graph when a failed change is undone', async () => {
    const { load, edit } = await start();
    const a = await load('a.ts');
    await expect(edit({ 'lib.ts': `export const text = ;` })).rejects.toMatchObject({
      code: 'E_SYNTAX',
    });
    expect(await edit({ 'lib.ts': `export const text = 'good';` })).toEqual([]);
    expect(await load('a.ts')).toBe(a);
  });

  it('reads a file again that was empty at first', async () => {
    const clock = createFakeClock();
    const { load, loader, write } = await start({ clock });
    const applying = loader.apply([write('lib.ts', '')]);
    await vi.waitFor(() => expect(clock.pending).toBe(1), 10_000);
    write('lib.ts', `export const text = 'written late';`);
    await clock.advance(20);
    expect(await applying).toMatchObject({ failures: [] });
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('written late');
  });

  it('reads a half-written file again when it changed since', async () => {
    const clock = createFakeClock();
    const { load, loader, write } = await start({ clock });
    const applying = loader.apply([write('lib.ts', `export const text = 'written in`)]);
    await vi.waitFor(() => expect(clock.pending).toBe(1), 10_000);
    write('lib.ts', `export const text = 'written in two parts';`);
    await clock.advance(20);
    expect(await applying).toMatchObject({ failures: [] });
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('written in two parts');
  });

  it('reports the syntax error when the file stays as it is', async () => {
    const clock = createFakeClock();
    const { loader, write } = await start({ clock });
    const applying = failureOf(taken(loader.apply([write('lib.ts', `export const text = 'half`)])));
    await vi.waitFor(() => expect(clock.pending).toBe(1), 10_000);
    await clock.advance(20);
    expect(await applying).toMatchObject({ code: 'E_SYNTAX' });
  });
});
