import { renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CurrentModules } from '../../src/loader/graph-module.js';
import { createLoadedProject } from './project-folder.js';

/** Two commands that share a helper, and one without imports. */
const BOT = {
  'commands/a.ts': `import { greet } from '../lib/greet.js'; export const state = {}; export const run = () => greet('a');`,
  'commands/b.ts': `import { greet, db } from '../lib/greet.js'; export const run = () => greet('b'); export { db };`,
  'commands/alone.ts': `import { db } from '../lib/db.js'; export const state = {}; export { db };`,
  'lib/greet.ts': `export { db } from './db.js'; export const greet = (name: string) => 'hello ' + name;`,
  'lib/db.ts': `export const db = { connected: 1 };`,
};

const call = (module: Record<string, unknown>): unknown => (module['run'] as () => unknown)();

describe('apply', () => {
  it('swaps a changed command and nothing else', async () => {
    const { load, edit } = createLoadedProject(BOT);
    const [a, alone] = [await load('commands/a.ts'), await load('commands/alone.ts')];
    await load('commands/b.ts');
    expect(await edit({ 'commands/a.ts': BOT['commands/a.ts'].replace(`'a'`, `'anna'`) })).toEqual([
      'commands/a.ts',
    ]);
    expect(call(await load('commands/a.ts'))).toBe('hello anna');
    expect(await load('commands/alone.ts')).toBe(alone);
    // A handler in flight ends on the code it began with.
    expect(call(a)).toBe('hello a');
  });

  it('searches the other modules for no save', async () => {
    const { load, edit } = createLoadedProject(BOT);
    for (const file of Object.keys(BOT)) await load(file);
    const searches = (['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const).map(
      (name) => vi.spyOn(CurrentModules.prototype, name as 'values'),
    );
    await edit({ 'commands/a.ts': BOT['commands/a.ts'].replace(`'a'`, `'anna'`) });
    await edit({ 'lib/db.ts': BOT['lib/db.ts'].replace('1', '2') });
    for (const search of searches) expect(search).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('runs everything that imports a changed helper again, and keeps the rest with its state', async () => {
    const { load, edit } = createLoadedProject(BOT);
    const before = { b: await load('commands/b.ts'), alone: await load('commands/alone.ts') };
    await load('commands/a.ts');
    expect(
      await edit({ 'lib/greet.ts': BOT['lib/greet.ts'].replace('hello', 'good evening') }),
    ).toEqual(['commands/a.ts', 'commands/b.ts', 'lib/greet.ts']);
    const b = await load('commands/b.ts');
    expect(call(b)).toBe('good evening b');
    // One instance of the database for old and new importers.
    expect(b['db']).toBe(before.b['db']);
    expect(b['db']).toBe((await load('commands/alone.ts'))['db']);
    expect(await load('commands/alone.ts')).toBe(before.alone);
  });

  it('passes one instance of a module to all of its importers', async () => {
    const { load, edit } = createLoadedProject(BOT);
    await load('commands/b.ts');
    await load('commands/alone.ts');
    await edit({ 'lib/db.ts': `export const db = { connected: 22 };` });
    const [b, alone] = [await load('commands/b.ts'), await load('commands/alone.ts')];
    expect(b['db']).toEqual({ connected: 22 });
    expect(b['db']).toBe(alone['db']);
  });

  it('does nothing when a file was saved without a change, or is not in the graph', async () => {
    const { load, edit } = createLoadedProject({ ...BOT, 'README.md': 'x' });
    const a = await load('commands/a.ts');
    expect(await edit({ 'commands/a.ts': BOT['commands/a.ts'], 'README.md': 'yy' })).toEqual([]);
    expect(await load('commands/a.ts')).toBe(a);
  });

  it('takes added imports and releases removed ones', async () => {
    const { load, edit, loader, path } = createLoadedProject(BOT);
    await load('commands/a.ts');
    expect(
      await edit({
        'commands/a.ts': `import { n } from '../lib/new.js'; export const run = () => n;`,
        'lib/new.ts': `export const n = 1;`,
      }),
    ).toEqual(['commands/a.ts', 'lib/new.ts']);
    expect(call(await load('commands/a.ts'))).toBe(1);
    expect(loader.current(path('lib/new.ts'))).toBeDefined();
    expect(loader.current(path('lib/db.ts'))).toBeUndefined();
  });

  it('takes a new command', async () => {
    const { load, edit } = createLoadedProject(BOT);
    const a = await load('commands/a.ts');
    expect(await edit({ 'commands/c.ts': `export { db } from '../lib/db.js';` })).toEqual([]);
    expect((await load('commands/c.ts'))['db']).toEqual({ connected: 1 });
    expect(await load('commands/a.ts')).toBe(a);
  });

  it('releases a deleted command and what only it used', async () => {
    const { load, loader, remove, path } = createLoadedProject(BOT);
    await load('commands/a.ts');
    await load('commands/alone.ts');
    expect(await loader.apply([remove('commands/a.ts')])).toEqual({
      evaluated: [],
      failures: [],
    });
    const isLoaded = (file: string) => loader.current(path(file)) !== undefined;
    expect(Object.keys(BOT).filter(isLoaded)).toEqual(['commands/alone.ts', 'lib/db.ts']);
    await expect(load('commands/a.ts')).rejects.toMatchObject({ code: 'E_MODULE_NOT_FOUND' });
  });

  it('refuses a deleted helper that is still imported, and names the importer', async () => {
    const { load, loader, edit, remove } = createLoadedProject(BOT);
    const a = await load('commands/a.ts');
    expect(await loader.apply([remove('lib/greet.ts')])).toMatchObject({
      evaluated: [],
      failures: [
        {
          code: 'E_MODULE_NOT_FOUND',
          message: 'commands/a.ts:1:23 imports "../lib/greet.js", which does not exist.',
          location: { line: 1, column: 23 },
        },
      ],
    });
    expect(await load('commands/a.ts')).toBe(a);
    expect(call(a)).toBe('hello a');
    expect(
      await edit({ 'lib/greet.ts': `export const greet = (name: string) => 'back, ' + name;` }),
    ).toEqual(['commands/a.ts', 'lib/greet.ts']);
    expect(call(await load('commands/a.ts'))).toBe('back, a');
  });

  it('follows a rename with its importer, and a file that becomes a folder', async () => {
    const { load, loader, path, write, remove } = createLoadedProject({
      'a.ts': `export { b } from './b';`,
      'b.ts': `export const b = 'file';`,
    });
    await load('a.ts');
    renameSync(path('b.ts'), path('c.ts'));
    await loader.apply([path('b.ts'), path('c.ts'), write('a.ts', `export { b } from './c';`)]);
    expect(await load('a.ts')).toMatchObject({ b: 'file' });
    await loader.apply([remove('c.ts'), write('c/index.ts', `export const b = 'folder';`)]);
    expect(await load('a.ts')).toMatchObject({ b: 'folder' });
  });

  it('follows an import that means another file once that is added', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `export { b } from './b';`,
      'b/index.ts': `export const b = 'folder';`,
    });
    expect(await load('a.ts')).toMatchObject({ b: 'folder' });
    expect(await edit({ 'b.ts': `export const b = 'file';` })).toEqual(['a.ts', 'b.ts']);
    expect(await load('a.ts')).toMatchObject({ b: 'file' });
  });

  it('follows an import that means another file, which another importer has loaded before', async () => {
    const { edit, load, loader, path, write } = createLoadedProject({
      'a.ts': `export { b } from './b';`,
      'b/index.ts': `export const b = 'folder';`,
      'c.ts': '',
    });
    await load('a.ts');
    await load('c.ts');
    write('b.ts', `export const b = 'file';`);
    await edit({ 'c.ts': `export { b } from './b';` });
    expect(await loader.apply([path('b.ts')])).toMatchObject({ evaluated: [path('a.ts')] });
    expect([await load('a.ts'), await load('c.ts')]).toMatchObject([{ b: 'file' }, { b: 'file' }]);
  });

  it('follows an import that means a fixed file, which another importer has loaded before', async () => {
    const { edit, load, write, loader } = createLoadedProject({
      'a.ts': `import { b, c } from './b'; export const d = b + c;`,
      'b.js': `export const b = 'js', c = '!';`,
    });
    await load('a.ts');
    await expect(edit({ 'b.ts': `export const b = 'ts';` })).rejects.toThrow('"c"');
    write('e.ts', `export { b } from './b';`);
    await load('e.ts');
    await loader.apply([write('b.ts', `export const b = 'ts', c = '?';`)]);
    expect(await load('a.ts')).toMatchObject({ d: 'ts?' });
  });

  it.each(['link.ts', 'folder/x.ts'])(
    'follows a link to another file of the graph: %s',
    async (link) => {
      const { load, loader, path, remove } = createLoadedProject({
        'a.ts': `export { x } from './${link}';`,
        'old/x.ts': `export const x = 'old';`,
        'new/x.ts': `export const x = 'new';`,
      });
      const linkTo = (target: string): void =>
        link.includes('/')
          ? symlinkSync(path(target), path('folder'))
          : symlinkSync(path(`${target}/x.ts`), path(link));
      linkTo('old');
      expect([await load('new/x.ts'), await load('a.ts')]).toMatchObject([
        { x: 'new' },
        { x: 'old' },
      ]);
      remove(link.split('/')[0] ?? '');
      linkTo('new');
      await loader.apply([path(link)]);
      expect(await load('a.ts')).toMatchObject({ x: 'new' });
    },
  );

  it('reloads JSON', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import data from './data.json'; export const a = data;`,
      'data.json': '{ "x": 1 }',
    });
    await load('a.ts');
    await edit({ 'data.json': '{ "x": 22 }' });
    expect((await load('a.ts'))['a']).toEqual({ x: 22 });
  });

  it('reloads every module of a cycle when one of them changes', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import { b } from './b.js'; export const a = () => 'a' + b();`,
      'b.ts': `import { a } from './a.js'; export const b = () => 'b'; export const again = () => a();`,
    });
    await load('a.ts');
    expect(
      await edit({
        'b.ts': `import { a } from './a.js'; export const b = () => 'bb'; export const again = () => a();`,
      }),
    ).toEqual(['a.ts', 'b.ts']);
    expect(((await load('b.ts'))['again'] as () => string)()).toBe('abb');
  });

  it('runs calls one after another, so that the last state on disk wins', async () => {
    const { load, loader, write } = createLoadedProject({ 'a.ts': `export const n = 0;` });
    await load('a.ts');
    const results = [];
    for (let n = 1; n <= 20; n += 1) {
      write('a.ts', `export const n = ${n};`);
      results.push(
        loader.apply([
          `${write('b.ts', `export const n = ${n};`)}`,
          write('a.ts', `export const n = ${n};`),
        ]),
      );
      results.push(load('b.ts'));
    }
    await Promise.all(results);
    expect(await load('a.ts')).toMatchObject({ n: 20 });
    expect(await load('b.ts')).toMatchObject({ n: 20 });
  });

  it('takes 300 files at once', async () => {
    const files: Record<string, string> = { 'shared.ts': `export const shared = {};` };
    for (let n = 0; n < 300; n += 1)
      files[`c${n}.ts`] =
        `import { shared } from './shared.js'; export const n = ${n}; export { shared };`;
    const { loader, path, edit } = createLoadedProject(files);
    const names = Object.keys(files);
    const modules = await Promise.all(names.map((name) => loader.importModule(path(name))));
    expect(new Set(modules.map((module) => module['shared'])).size).toBe(1);
    expect(
      await edit(
        Object.fromEntries(names.map((name) => [name, `${files[name]} export const edited = 1;`])),
      ),
    ).toHaveLength(301);
    expect(await loader.importModule(path('c7.ts'))).toMatchObject({ n: 7, edited: 1 });
  });
});

describe('apply, what cannot be swapped', () => {
  it.each([
    ['package.json', 'package.json affects how imports are resolved'],
    ['tsconfig.json', 'tsconfig.json affects how files are compiled'],
    ['virgule.config.ts', 'virgule.config.ts is read only at startup'],
    ['.env.local', '.env.local is read only at startup'],
    ['assets/words.txt', 'assets/words.txt may be read only at startup'],
    ['services.ts', 'services.ts runs only at startup'],
    ['src/services.ts', 'src/services.ts runs only at startup'],
    ['node_modules/pkg/index.js', 'node_modules/pkg/index.js belongs to a dependency'],
  ])(
    'reports it for %s until there is a new process, and swaps the others',
    async (file, restart) => {
      const { load, loader, write, path } = createLoadedProject({ 'a.ts': `export const a = 1;` });
      await load('a.ts');
      const saved = [write('a.ts', `export const a = 22;`), write(file, '{ }')];
      const result = { evaluated: [path('a.ts')], failures: [], restart };
      expect(await loader.apply(saved)).toEqual(result);
      expect(await load('a.ts')).toMatchObject({ a: 22 });
      expect(await loader.apply([write('a.ts', `export const a = 333;`)])).toEqual(result);
      expect(await load('a.ts')).toMatchObject({ a: 333 });
    },
  );

  it('swaps a file of assets that a module imports', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import w from './assets/w.json'; export const word = w.word;`,
      'assets/w.json': '{ "word": "old" }',
    });
    await load('a.ts');
    expect(await edit({ 'assets/w.json': '{ "word": "new" }' })).toContain('a.ts');
    expect(await load('a.ts')).toMatchObject({ word: 'new' });
  });

  it('reports it for a file that the services import, and swaps the others', async () => {
    const { load, loader, edit, write, path } = createLoadedProject({
      'services.ts': `import { open } from './lib/pool.js'; export default open;`,
      'lib/pool.ts': `export * from './socket.js';`,
      'lib/socket.ts': `export const open = () => 1;`,
      'a.ts': `import { open } from './lib/pool.js'; export const a = open();`,
    });
    await load('services.ts');
    await load('a.ts');
    expect(
      await edit({ 'a.ts': `import { open } from './lib/pool.js'; export const a = open() + 1;` }),
    ).toEqual(['a.ts']);
    expect(await loader.apply([write('lib/socket.ts', `export const open = () => 22;`)])).toEqual({
      evaluated: [],
      failures: [],
      restart: 'lib/socket.ts is used by services.ts, which runs only at startup',
    });
    expect(await loader.apply([write('a.ts', `export const a = 0;`)])).toMatchObject({
      evaluated: [path('a.ts')],
      restart: expect.any(String),
    });
  });

  it('holds back the file that leads an import of the services elsewhere, and nothing else', async () => {
    const { load, loader, write, path } = createLoadedProject({
      'services.ts': `import { n } from './lib/n.js'; export default n;`,
      'lib/n.js': `export const n = 1;`,
      'a.ts': `export const a = 1;`,
    });
    await load('services.ts');
    await load('a.ts');
    const saved = [write('lib/n.ts', `export const n = 2;`), write('a.ts', `export const a = 22;`)];
    expect(await loader.apply(saved)).toMatchObject({ evaluated: [path('a.ts')] });
  });

  it('holds back a changed file that leads an import of the services elsewhere, also after another file has loaded it', async () => {
    const { load, loader, write } = createLoadedProject({
      'services.ts': `import { n } from './n'; export default n;`,
      'n.js': 'export const n = 1;',
      'e.ts': `export { n } from './n';`,
    });
    await load('services.ts');
    const restart = 'services.ts runs only at startup';
    expect(await loader.apply([write('n.ts', 'export const n = 2;')])).toMatchObject({ restart });
    expect(await load('e.ts')).toMatchObject({ n: 2 });
    expect(await loader.apply([write('n.ts', 'export const n = 3;')])).toMatchObject({ restart });
  });

  it('reports it for services that a link leads to', async () => {
    const { load, loader, write, path } = createLoadedProject({
      'lib/setup.ts': `export default 1;`,
    });
    symlinkSync(path('lib/setup.ts'), path('services.ts'));
    await load('services.ts');
    expect(await loader.apply([write('lib/setup.ts', `export default 22;`)])).toEqual({
      evaluated: [],
      failures: [],
      restart: 'lib/setup.ts runs only at startup',
    });
  });

  it('does not take the tests of services for services', async () => {
    const { load, edit } = createLoadedProject({ 'a.ts': `export const a = 1;` });
    await load('a.ts');
    expect(await edit({ 'services.test.ts': 'x', 'lib/services.ts': 'x' })).toEqual([]);
  });
});
