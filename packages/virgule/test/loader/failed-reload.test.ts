import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from './failure-of.js';
import { createLoadedProject, type LoadedProject } from './project-folder.js';

describe('apply, failures', { timeout: 30_000 }, () => {
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
  ])('keeps the last good version after %s, and takes the mended one', async (_, bad, code) => {
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

  it('takes all or nothing', async () => {
    const { load, edit } = await start();
    await expect(
      edit({ 'lib.ts': `export const text = 'new';`, 'b.ts': `throw new Error('x');` }),
    ).rejects.toThrow('x');
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('good');
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
    expect(await applying).toMatchObject({ outcome: 'swapped' });
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('written late');
  });

  it('reads a half-written file again when it changed since', async () => {
    const clock = createFakeClock();
    const { load, loader, write } = await start({ clock });
    const applying = loader.apply([write('lib.ts', `export const text = 'written in`)]);
    await vi.waitFor(() => expect(clock.pending).toBe(1), 10_000);
    write('lib.ts', `export const text = 'written in two parts';`);
    await clock.advance(20);
    expect(await applying).toMatchObject({ outcome: 'swapped' });
    expect(((await load('a.ts'))['run'] as () => string)()).toBe('written in two parts');
  });

  it('reports the syntax error when the file stays as it is', async () => {
    const clock = createFakeClock();
    const { loader, write } = await start({ clock });
    const applying = failureOf(loader.apply([write('lib.ts', `export const text = 'half`)]));
    await vi.waitFor(() => expect(clock.pending).toBe(1), 10_000);
    await clock.advance(20);
    expect(await applying).toMatchObject({ code: 'E_SYNTAX' });
  });
});
