import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ZodType } from 'zod';
import { createLoader } from '../../src/loader/create-loader.js';
import { createLoadedProject, createProjectFolder } from './project-folder.js';

describe('importModule, dependencies', () => {
  it('imports builtins, with and without node:', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import path, { join } from 'node:path';
        import * as whole from 'path';
        import { setTimeout as sleep } from 'timers/promises';
        export const seen = [path.join === join, whole.join === join, typeof sleep];
      `,
    });
    expect((await load('a.ts'))['seen']).toEqual([true, true, 'function']);
  });

  it('imports the default export of an ESM package, not its namespace', async () => {
    const { load } = createLoadedProject({
      'node_modules/esm/package.json':
        '{ "name": "esm", "type": "module", "exports": { ".": "./index.js", "./sub": "./sub.js" } }',
      'node_modules/esm/index.js': `export default function main() { return 'main'; } export const named = 'named';`,
      'node_modules/esm/sub.js': `export * from './index.js'; export const sub = 'sub';`,
      'a.ts': `
        import main, { named } from 'esm';
        import * as whole from 'esm';
        export const seen = [main(), named, whole.default === main];
        export * from 'esm/sub';
      `,
    });
    expect(await load('a.ts')).toMatchObject({
      seen: ['main', 'named', true],
      sub: 'sub',
      named: 'named',
    });
  });

  it('runs a package after the files that are imported before it', async () => {
    const { load } = createLoadedProject({
      'node_modules/esm/package.json':
        '{ "name": "esm", "type": "module", "exports": "./index.js" }',
      'node_modules/esm/index.js': 'export const seen = globalThis.setBefore;',
      'setup.ts': `(globalThis as { setBefore?: string }).setBefore = 'by the project';`,
      'a.ts': `import './setup.js'; export { seen } from 'esm';`,
    });
    expect(await load('a.ts')).toMatchObject({ seen: 'by the project' });
  });

  it('imports module.exports as the default of a CommonJS package, and its names', async () => {
    const { load } = createLoadedProject({
      'node_modules/cjs/package.json': '{ "name": "cjs", "main": "./main" }',
      'node_modules/cjs/main.js': `
        const api = { visible: 1 };
        for (const name of ['computed']) api[name] = 2;
        module.exports = api;
        module.exports.seen = 3;
      `,
      'node_modules/transpiled/index.js': `
        Object.defineProperty(exports, '__esModule', { value: true });
        exports.default = 'inner';
        exports.named = 'named';
      `,
      'a.ts': `
        import cjs, { seen, computed } from 'cjs';
        import transpiled, { named } from 'transpiled';
        export const values = [cjs.visible, seen, computed, cjs.computed];
        export { transpiled, named };
      `,
    });
    const module = await load('a.ts');
    expect(module['values']).toEqual([1, 3, 2, 2]);
    // As in Node.js: the default is what module.exports holds.
    expect(module['transpiled']).toMatchObject({ default: 'inner' });
    expect(module['named']).toBe('named');
  });

  it.each([
    ['no default', `export const one = 1;`],
    ['a default of null', `export const one = 1; export default null;`],
    ['a default that is a text', `export const one = 1; export default 'length';`],
    ['a default without it', `export const one = 1; export default { two: 2 };`],
  ])('names what a package with %s does not export', async (_, text) => {
    const { load } = createLoadedProject({
      'node_modules/esm/package.json': '{ "name": "esm", "exports": "./index.mjs" }',
      'node_modules/esm/index.mjs': text,
      'a.ts': `import { one, length } from 'esm'; export const seen = [one, length];`,
    });
    await expect(load('a.ts')).rejects.toMatchObject({
      code: 'E_EXPORT_MISSING',
      details: { specifier: 'esm', name: 'length' },
    });
  });

  it('imports what a URL holds', async () => {
    const { load } = createLoadedProject({
      'a.ts': `export { default } from 'data:text/javascript,export default 7';`,
    });
    expect(await load('a.ts')).toMatchObject({ default: 7 });
  });

  it('uses the entry for import of a package that has two', async () => {
    const { load } = createLoadedProject({
      'node_modules/dual/package.json':
        '{ "exports": { "require": "./index.cjs", "import": "./index.mjs" } }',
      'node_modules/dual/index.cjs': `module.exports = 'required';`,
      'node_modules/dual/index.mjs': `export default 'imported';`,
      'a.ts': `export { default } from 'dual';`,
    });
    expect((await load('a.ts'))['default']).toBe('imported');
  });

  it('takes a package from the nearest node_modules of the importer', async () => {
    const { load } = createLoadedProject({
      'node_modules/pkg/index.js': `module.exports = 'outer';`,
      'deep/node_modules/pkg/index.js': `module.exports = 'inner';`,
      'a.ts': `import pkg from 'pkg'; import { deep } from './deep/b.js'; export const seen = [pkg, deep];`,
      'deep/b.ts': `export { default as deep } from 'pkg';`,
    });
    expect((await load('a.ts'))['seen']).toEqual(['outer', 'inner']);
  });

  it('shares the framework and zod with the process', async () => {
    const { load } = createLoadedProject({
      'a.ts': `export { VirguleError } from '@virgule/core/errors'; export { ZodType } from 'zod';`,
    });
    const module = await load('a.ts');
    expect(module['VirguleError']).toBe(VirguleError);
    expect(module['ZodType']).toBe(ZodType);
  });

  it('never replaces a zod of the project that fails to load, nor an entry that no version has', async () => {
    const { load } = createLoadedProject({
      'node_modules/zod/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/zod/index.js': `throw new Error('half installed');`,
      'a.ts': `export * from 'zod';`,
      'b.ts': `export * from 'zod/none';`,
    });
    await expect(load('a.ts')).rejects.toMatchObject({
      code: 'E_LOAD_FAILED',
      message: 'a.ts:1:15 imports "zod", which failed to load: half installed',
    });
    await expect(load('b.ts')).rejects.toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'b.ts:1:15 imports "zod/none", which does not exist.',
    });
  });

  it('needs a new process for all that CommonJS requires, and knows its files', async () => {
    const files = {
      'bot/package.json': '{ "name": "bot", "type": "module" }',
      'bot/a.ts': `import old from '@acme/old';
        import { createRequire } from 'node:module';
        import own from './own.cjs';
        const data = createRequire(import.meta.url)('./data.json');
        export const seen = [old.v, own, data];`,
      'bot/own.cjs': `module.exports = require('./part.cjs');`,
      'bot/part.cjs': `module.exports = 'part';`,
      'bot/data.json': '"data"',
      'bot/free.json': '"free"',
      'old/package.json': '{ "name": "@acme/old" }',
      'old/index.js': `exports.v = require('./lib/v');`,
      'old/lib/v.js': `module.exports = 'v0';`,
    };
    const folder = createProjectFolder(files);
    mkdirSync(join(folder.root, 'bot/node_modules/@acme'), { recursive: true });
    symlinkSync(join(folder.root, 'old'), join(folder.root, 'bot/node_modules/@acme/old'));
    const loader = createLoader({ root: join(folder.root, 'bot') });
    onTestFinished(() => loader.close());
    const { seen } = await loader.importModule(join(folder.root, 'bot/a.ts'));
    expect(seen).toEqual(['v0', 'part', 'data']);
    const folders = loader.folders().map((each) => relative(folder.root, each));
    const required = [
      'bot/data.json',
      'bot/own.cjs',
      'bot/part.cjs',
      'old/index.js',
      'old/lib/v.js',
    ];
    expect(folders).toEqual(['bot', 'old', 'old/lib']);
    const free = await loader.apply([folder.write('bot/free.json', '"other"')]);
    expect(free.restart).toBeUndefined();
    for (const file of required) {
      const { restart } = await loader.apply([folder.write(file, '"other"')]);
      expect(restart).toMatch(/^\S+ is loaded by Node.js itself$/);
    }
  });

  it('leaves CommonJS files of the project to Node.js', async () => {
    const { load, loader, write } = createLoadedProject({
      'package.json': '{ "name": "bot" }',
      'a.ts': `import b from './b.cjs'; import { c } from './c.js'; import { d } from './d.js'; export const seen = [b, c, d];`,
      'b.cjs': `module.exports = 'b';`,
      'c.js': `exports.c = 'c';`,
      'd.js': `export const d = 'd';`,
    });
    expect((await load('a.ts'))['seen']).toEqual(['b', 'c', 'd']);
    expect(await loader.apply([write('c.js', `exports.c = 'other';`)])).toEqual({
      evaluated: [],
      failures: [],
      restart: 'c.js is loaded by Node.js itself',
    });
  });

  it('names changed CommonJS files, also below node_modules, but none that Node.js has not loaded', async () => {
    const folder = createProjectFolder({
      'node_modules/bot/package.json': '{ "type": "module" }',
      'node_modules/bot/a.ts': `import './b.cjs';`,
      'node_modules/bot/b.cjs': '',
      'node_modules/bot/c.cjs': '',
      'node_modules/bot/bad.ts': 'export const = ;',
    });
    const root = join(folder.root, 'node_modules/bot');
    const loader = createLoader({ root });
    onTestFinished(() => loader.close());
    await loader.importModule(join(root, 'a.ts'));
    const edit = (file: string, text: string) =>
      loader.apply([folder.write(`node_modules/bot/${file}`, text)]);
    expect(await edit('a.ts', `import './c.cjs'; import './bad.js';`)).toMatchObject({
      failures: [{ code: 'E_SYNTAX' }],
    });
    expect(await edit('a.ts', `import './b.cjs'; export {};`)).toMatchObject({ failures: [] });
    expect((await edit('c.cjs', 'exports.c = 1;')).restart).toBeUndefined();
    expect((await edit('b.cjs', 'exports.b = 1;')).restart).toBe(
      'b.cjs is loaded by Node.js itself',
    );
  });

  it('keeps dependencies as they are when their importer is reloaded', async () => {
    const { load, edit } = createLoadedProject({
      'node_modules/pkg/index.mjs': `export const state = {};`,
      'node_modules/pkg/package.json': '{ "exports": "./index.mjs" }',
      'a.ts': `export { state } from 'pkg';`,
    });
    const before = (await load('a.ts'))['state'];
    await edit({ 'a.ts': `export { state } from 'pkg'; export const edited = true;` });
    const after = await load('a.ts');
    expect(after).toMatchObject({ edited: true });
    expect(after['state']).toBe(before);
  });
});
