import { describe, expect, it } from 'vitest';
import { createLoadedProject } from './project-folder.js';

type Lazy = (name?: string) => Promise<Record<string, unknown>>;

describe('importModule, dynamic import', () => {
  it('imports files, packages, builtins and JSON when it is reached', async () => {
    const { load } = createLoadedProject({
      'node_modules/pkg/index.mjs': `export default 'pkg';`,
      'node_modules/pkg/package.json': '{ "exports": "./index.mjs" }',
      'b.ts': `export const b = 'b';`,
      'data.json': '{ "x": 1 }',
      'a.ts': `
        import { pathToFileURL } from 'node:url';
        export const file = () => import(/* a comment */ './b.js');
        export const computed = (name: string) => import(\`./\${name}.js\`);
        export const pkg = () => import('pkg');
        export const builtin = () => import('node:path');
        export const json = () => import('./data.json', { with: { type: 'json' } });
        export const url = () => import(pathToFileURL(import.meta.dirname + '/b.ts').href);
      `,
    });
    const lazy = (await load('a.ts')) as Record<string, Lazy>;
    const b = await load('b.ts');
    expect(await lazy['file']?.()).toBe(b);
    expect(await lazy['computed']?.('b')).toBe(b);
    expect(await lazy['url']?.()).toBe(b);
    expect(await lazy['pkg']?.()).toMatchObject({ default: 'pkg' });
    expect(await lazy['builtin']?.()).toHaveProperty('join');
    expect(await lazy['json']?.()).toMatchObject({ x: 1 });
  });

  it('leads to a file that was added, if that comes first', async () => {
    const { load, loader, write } = createLoadedProject({
      'x.ts': `export const text = 'first';`,
      'a.ts': `export const lazy = () => import('./x');`,
    });
    expect(await ((await load('a.ts')) as { lazy: Lazy }).lazy()).toMatchObject({ text: 'first' });
    await loader.apply([write('x.tsx', `export const text = 'second';`)]);
    expect(await ((await load('a.ts')) as { lazy: Lazy }).lazy()).toMatchObject({ text: 'second' });
  });

  it('rejects for a file that does not exist, with the importer', async () => {
    const { load } = createLoadedProject({
      'a.ts': `export const lazy = () => import('./none.js');`,
    });
    const { lazy } = (await load('a.ts')) as { lazy: Lazy };
    await expect(lazy()).rejects.toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'a.ts:1:34 imports "./none.js", which does not exist.',
    });
  });

  it('returns the new version after a reload, and the importer runs again', async () => {
    const { load, edit, loader, path } = createLoadedProject({
      'a.ts': `export const lazy = () => import('./b.js');`,
      'b.ts': `export const b = 'one';`,
    });
    const old = (await load('a.ts')) as { lazy: Lazy };
    expect(await old.lazy()).toMatchObject({ b: 'one' });
    expect(loader.dependants(path('b.ts'))).toEqual(new Set([path('a.ts'), path('b.ts')]));
    expect(await edit({ 'b.ts': `export const b = 'second';` })).toEqual(['a.ts', 'b.ts']);
    const current = (await load('a.ts')) as { lazy: Lazy };
    expect(await current.lazy()).toMatchObject({ b: 'second' });
    expect(await old.lazy()).toMatchObject({ b: 'second' });
  });

  it('keeps the state of what was reached lazily when only the importer changes', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `export const lazy = () => import('./b.js');`,
      'b.ts': `export const state = {};`,
    });
    const before = await ((await load('a.ts')) as { lazy: Lazy }).lazy();
    expect(
      await edit({ 'a.ts': `export const lazy = () => import('./b.js'); export const more = 1;` }),
    ).toEqual(['a.ts']);
    expect(await ((await load('a.ts')) as { lazy: Lazy }).lazy()).toBe(before);
  });

  it('releases modules that no source reaches any more', async () => {
    const { load, edit, loader, path } = createLoadedProject({
      'a.ts': `export const lazy = () => import('./b.js');`,
      'b.ts': `export {};`,
    });
    await ((await load('a.ts')) as { lazy: Lazy }).lazy();
    expect(loader.current(path('b.ts'))).toBeDefined();
    await edit({ 'a.ts': `export {};` });
    expect(loader.current(path('b.ts'))).toBeUndefined();
  });

  it('shows the syntax error of a lazy file when it is saved', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `export const lazy = () => import('./b.js');`,
      'b.ts': `export const b = 1;`,
    });
    const { lazy } = (await load('a.ts')) as { lazy: Lazy };
    await lazy();
    await expect(edit({ 'b.ts': `export const b = ;` })).rejects.toMatchObject({
      code: 'E_SYNTAX',
    });
    expect(await lazy()).toMatchObject({ b: 1 });
  });

  it('works while the importer is being loaded, also through a helper that was there before', async () => {
    const { load, edit } = createLoadedProject({
      'helper.ts': `export const open = (name: string) => import(\`./\${name}.js\`);`,
      'first.ts': `export { open } from './helper.js';`,
      'plugin.ts': `import { open } from './helper.js'; export const plugin = open.length;`,
    });
    await load('first.ts');
    const late = `import { open } from './helper.js'; export const { plugin } = await open('plugin');`;
    await edit({ 'late.ts': late });
    expect(await load('late.ts')).toMatchObject({ plugin: 1 });
    // The helper is untouched, so its own import() runs for a module that is only being made.
    await edit({ 'late.ts': `${late} export const again = (await open('plugin')).plugin;` });
    expect(await load('late.ts')).toMatchObject({ plugin: 1, again: 1 });
  });

  it('finishes an unawaited import while loading', async () => {
    const { load, loader, path } = createLoadedProject({
      'a.ts': `export const later = import('./b.js');`,
      'b.ts': `export const b = { };`,
    });
    const { later } = (await load('a.ts')) as { later: Promise<Record<string, unknown>> };
    expect(await later).toBe(await load('b.ts'));
    expect(loader.dependants(path('b.ts'))).toContain(path('a.ts'));
  });
});
