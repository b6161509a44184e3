import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLoadedProject, createProjectFolder } from './project-folder.js';

describe('importModule, finding modules', () => {
  it('finds x.ts for ./x.js, and its relatives', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        export { name as js } from './js.js';
        export { name as mjs } from './mjs.mjs';
        export { name as jsx } from './jsx.jsx';
        export { name as tsx } from './tsx.js';
        export { name as exact } from './exact.ts';
      `,
      'js.ts': `export const name = 'js.ts';`,
      'mjs.mts': `export const name = 'mjs.mts';`,
      'jsx.tsx': `export const name = 'jsx.tsx';`,
      'tsx.tsx': `export const name = 'tsx.tsx';`,
      'exact.ts': `export const name = 'exact.ts';`,
    });
    expect({ ...(await load('a.ts')) }).toEqual({
      js: 'js.ts',
      mjs: 'mjs.mts',
      jsx: 'jsx.tsx',
      tsx: 'tsx.tsx',
      exact: 'exact.ts',
    });
  });

  it('finds names without extension, folders with an index, and parents', async () => {
    const { load } = createLoadedProject({
      'deep/a.ts': `
        export { name as plain } from './plain';
        export { name as dotted } from './dotted.name';
        export { name as folder } from './folder';
        export { name as slash } from './folder/';
        export { name as here } from '.';
        export { name as parent } from '..';
        export { name as query } from './plain?x=1';
      `,
      'deep/plain.ts': `export const name = 'plain';`,
      'deep/dotted.name.ts': `export const name = 'dotted';`,
      'deep/folder/index.ts': `export const name = 'folder/index';`,
      'deep/index.ts': `export const name = 'deep/index';`,
      'index.ts': `export const name = 'index';`,
    });
    expect({ ...(await load('deep/a.ts')) }).toEqual({
      plain: 'plain',
      dotted: 'dotted',
      folder: 'folder/index',
      slash: 'folder/index',
      here: 'deep/index',
      parent: 'index',
      query: 'plain',
    });
  });

  it('follows paths of a tsconfig with comments that extends another one', async () => {
    const { load } = createLoadedProject({
      'tsconfig.json': `{
        // the rest is in the base
        "extends": "./config/base.json",
      }`,
      'config/base.json': `{ "compilerOptions": { "paths": { "@/*": ["../src/*"], "config": ["../src/config.ts"] } } }`,
      'src/lib/math.ts': `export const two = 2;`,
      'src/config.ts': `export default 'config';`,
      'commands/a.ts': `import { two } from '@/lib/math.js'; import config from 'config'; export const seen = [two, config];`,
    });
    expect((await load('commands/a.ts'))['seen']).toEqual([2, 'config']);
  });

  it('follows imports of package.json, to files and to packages', async () => {
    const { load } = createLoadedProject({
      'package.json': `{ "name": "bot", "type": "module", "exports": "./lib/self.ts",
        "imports": { "#lib/*": "./lib/*", "#pkg": { "node": "pkg", "default": "./lib/none.js" } } }`,
      'node_modules/pkg/package.json':
        '{ "name": "pkg", "type": "module", "exports": "./index.js" }',
      'node_modules/pkg/index.js': `export default 'pkg';`,
      'lib/b.ts': `export const b = 'b';`,
      'lib/self.ts': `export const self = 'self';`,
      'a.ts': `import { b } from '#lib/b.js'; import pkg from '#pkg'; import { self } from 'bot'; export const seen = [b, pkg, self];`,
    });
    expect((await load('a.ts'))['seen']).toEqual(['b', 'pkg', 'self']);
  });

  it.each([
    ['a text', '"none"'],
    ['null', 'null'],
    ['a map without the name', '{ "#other": "./b.js" }'],
  ])('finds nothing by imports of package.json that are %s', async (_, imports) => {
    const { load } = createLoadedProject({
      'package.json': `{ "name": "bot", "type": "module", "imports": ${imports} }`,
      'a.ts': `import '#lib/b.js';`,
      'lib/b.ts': '',
    });
    await expect(load('a.ts')).rejects.toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'a.ts:1:8 imports "#lib/b.js", which does not exist.',
    });
  });

  it('finds the files of a linked package that declares no exports, or not these', async () => {
    const project = createLoadedProject({
      'packages/plain/package.json': '{ "name": "plain", "main": "./src/main" }',
      'packages/plain/src/main.ts': `export const main = 'main';`,
      'packages/plain/src/sub.ts': `export const sub = 'sub';`,
      'packages/bare/index.ts': `export const bare = 'bare';`,
      'packages/strict/package.json': '{ "name": "strict", "exports": { ".": "./src/index.ts" } }',
      'packages/strict/src/index.ts': '',
      'packages/strict/src/inner.ts': '',
      'node_modules/.keep': '',
      'a.ts': `
        import { main } from 'plain';
        import { sub } from 'plain/src/sub';
        import { bare } from 'bare';
        export const seen = [main, sub, bare];
      `,
      'b.ts': `import 'strict/src/inner.ts';`,
    });
    for (const name of ['plain', 'bare', 'strict'])
      symlinkSync(project.path(`packages/${name}`), project.path(`node_modules/${name}`));
    expect((await project.load('a.ts'))['seen']).toEqual(['main', 'sub', 'bare']);
    await expect(project.load('b.ts')).rejects.toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      hint: 'The package is installed, but it has no such entry.',
    });
  });

  it('resolves for import.meta.resolve what it would import', async () => {
    const { load, path } = createLoadedProject({
      'package.json': `{ "name": "bot", "type": "module", "imports": { "#pkg": "pkg" } }`,
      'node_modules/pkg/package.json': '{ "name": "pkg", "exports": "./index.js" }',
      'node_modules/pkg/index.js': '',
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/old.cjs': '',
      'a.ts': `
        const { resolve } = import.meta;
        export const seen = [resolve('https://x.example/y.js'), resolve('#pkg'), resolve('@/old.cjs')];
        export const missing = () => resolve('nowhere');
      `,
    });
    const { seen, missing } = await load('a.ts');
    expect(seen).toEqual([
      'https://x.example/y.js',
      pathToFileURL(path('node_modules/pkg/index.js')).href,
      pathToFileURL(path('src/old.cjs')).href,
    ]);
    expect(missing).toThrow(new TypeError('Cannot find "nowhere" from a.ts'));
  });

  it('reloads a package that is linked into node_modules from inside the project', async () => {
    const project = createLoadedProject({
      'packages/shared/package.json':
        '{ "name": "@bot/shared", "type": "module", "exports": { ".": "./src/index.ts" } }',
      'packages/shared/src/index.ts': `export const text = 'one';`,
      'node_modules/@bot/.keep': '',
      'a.ts': `export { text } from '@bot/shared';`,
    });
    symlinkSync(project.path('packages/shared'), project.path('node_modules/@bot/shared'));
    expect(await project.load('a.ts')).toMatchObject({ text: 'one' });
    expect(
      await project.edit({ 'packages/shared/src/index.ts': `export const text = 'second';` }),
    ).toEqual(['a.ts', 'packages/shared/src/index.ts']);
    expect(await project.load('a.ts')).toMatchObject({ text: 'second' });
  });

  it('swaps code outside of the project: a linked package, TypeScript or not, and what is imported by its path', async () => {
    const outside = createProjectFolder({
      'built/package.json': '{ "name": "built", "type": "module", "exports": "./index.js" }',
      'built/index.js': `export default 'built';`,
      'source/package.json': '{ "name": "source", "type": "module", "exports": "./index.ts" }',
      'source/index.ts': `export default 'source' as string;`,
      'shared/words.ts': `export const word: string = 'word';`,
      'shared/linked.ts': `export const linked: string = 'linked';`,
    });
    const {
      load,
      loader,
      path: pathTo,
      root,
    } = createLoadedProject({
      'node_modules/.keep': '',
      'b.ts': `export { linked } from './linked.js';`,
    });
    const words = path.relative(root, outside.path('shared/words.js'));
    writeFileSync(
      pathTo('a.ts'),
      `import built from 'built'; import source from 'source'; import { word } from './${words}'; import { linked } from './linked.js'; export const seen = [built, source, word, linked];`,
    );
    symlinkSync(outside.path('built'), pathTo('node_modules/built'));
    symlinkSync(outside.path('source'), pathTo('node_modules/source'));
    symlinkSync(outside.path('shared/linked.ts'), pathTo('linked.ts'));
    const seen = async (): Promise<unknown> => (await load('a.ts'))['seen'];
    expect(await seen()).toEqual(['built', 'source', 'word', 'linked']);
    const changes = [
      outside.write('built/index.js', `export default 'built again';`),
      outside.write('source/index.ts', `export default 'source again' as string;`),
      outside.write('shared/words.ts', `export const word: string = 'word again';`),
      outside.write('shared/linked.ts', `export const linked: string = 'linked again';`),
    ];
    expect(await loader.apply(changes)).toMatchObject({ failures: [] });
    expect(await seen()).toEqual(['built again', 'source again', 'word again', 'linked again']);
  });

  it('knows a project by a link to its folder', async () => {
    const { root, write } = createProjectFolder({
      'real/a.ts': `export * from './b.js';`,
      'real/b.ts': `export const b = 1;`,
    });
    symlinkSync(`${root}/real`, `${root}/link`);
    const { loader } = createLoadedProject({}, { root: `${root}/link` });
    expect(await loader.importModule(`${root}/link/a.ts`)).toMatchObject({ b: 1 });
    expect(loader.current(`${root}/link/b.ts`)).toMatchObject({ b: 1 });
    expect(loader.folders()).toEqual([`${root}/link`]);
    write('real/b.ts', `export const b = 22;`);
    expect(await loader.apply([`${root}/link/b.ts`])).toMatchObject({ failures: [] });
    expect(await loader.importModule(`${root}/real/a.ts`)).toMatchObject({ b: 22 });
  });
});
