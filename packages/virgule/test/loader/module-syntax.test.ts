import { describe, expect, it } from 'vitest';
import { createLoadedProject } from './project-folder.js';

describe('importModule, code of modules', () => {
  it('does not touch strings, templates, comments and regular expressions that look like imports', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        // import x from './nowhere.js'
        export const text = "import('./nowhere.js') require('./nowhere.js') import.meta.url";
        export const template = \`import { x } from './nowhere.js'; \${'import("./nowhere.js")'}\`;
        export const expression = /import\\('.\\/nowhere'\\)|export default/;
        export const object = { import: (name: string) => name, require: (name: string) => name };
        export const called = object.import('x') + object.require('y');
      `,
    });
    expect(await load('a.ts')).toMatchObject({
      text: `import('./nowhere.js') require('./nowhere.js') import.meta.url`,
      template: `import { x } from './nowhere.js'; import("./nowhere.js")`,
      expression: /import\('.\/nowhere'\)|export default/,
      called: 'xy',
    });
  });

  it('leaves the names of CommonJS to the user', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import { createRequire } from 'node:module';
        import path from 'node:path';
        const require = createRequire(import.meta.url);
        const module = 1, exports = 2, import_meta = 3, $load = 4;
        export const seen = [require('node:path') === path, module, exports, import_meta, $load, typeof __dirname];
      `,
      'b.ts': `export default () => require('node:fs');`,
    });
    expect((await load('a.ts'))['seen']).toEqual([true, 1, 2, 3, 4, 'undefined']);
    const { default: useRequire } = (await load('b.ts')) as { default: () => void };
    expect(useRequire).toThrow('require is not defined in an ES module');
  });

  it('runs in strict mode, with undefined as this', async () => {
    const { load } = createLoadedProject({
      'a.js': `export const self = this; export const assign = () => { undeclared = 1; };`,
    });
    const module = await load('a.js');
    expect(module['self']).toBeUndefined();
    expect(module['assign']).toThrow(ReferenceError);
  });

  it('provides import.meta of the source file', async () => {
    const { load, root, path } = createLoadedProject({
      'commands/a.ts': `
        const { url, dirname, filename } = import.meta;
        export const meta = { url, dirname, filename };
        export const resolved = [import.meta.resolve('../lib/b.js'), import.meta.resolve('./none.txt'), import.meta.resolve('node:fs'), import.meta.resolve('pkg')];
      `,
      'lib/b.ts': '',
      'node_modules/pkg/package.json':
        '{ "exports": { "import": "./i.mjs", "require": "./r.cjs" } }',
    });
    const module = await load('commands/a.ts');
    expect(module['meta']).toEqual({
      url: `file://${path('commands/a.ts')}`,
      dirname: path('commands'),
      filename: path('commands/a.ts'),
    });
    expect(module['resolved']).toEqual([
      `file://${root}/lib/b.ts`,
      `file://${root}/commands/none.txt`,
      'node:fs',
      `file://${root}/node_modules/pkg/i.mjs`,
    ]);
  });

  it('reads JSON, with and without an import attribute', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import whole from './data.json';
        import { name } from './data.json' with { type: 'json' };
        import list from './list.json';
        export const seen = [whole.deep.list, name, list];
      `,
      'data.json': '{ "name": "bot", "deep": { "list": [1] }, "not-a-name": true }',
      'list.json': '[1, 2]',
    });
    expect((await load('a.ts'))['seen']).toEqual([[1], 'bot', [1, 2]]);
  });

  it('reads JSON with a byte order mark, and names every key', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import whole, { x, 'a-b' as dashed } from './data.json';
        import * as all from './data.json';
        export const seen = [whole, x, dashed, Object.keys(all)];
      `,
      'data.json': '\uFEFF{ "x": 1, "a-b": 2, "__proto__": { "x": 3 } }',
    });
    const { seen } = (await load('a.ts')) as { seen: [object, ...unknown[]] };
    const [whole, ...others] = seen;
    expect(others).toEqual([1, 2, ['a-b', 'default', 'x']]);
    expect(Object.getPrototypeOf(whole)).toBe(Object.prototype);
  });

  it('reads JSX of .tsx and .jsx files with the factory of the tsconfig', async () => {
    const { load } = createLoadedProject({
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }',
      'a.tsx': `import { h } from './h.js'; import { b } from './b.jsx'; export default <p>{b as string}</p>;`,
      'b.jsx': `import { h } from './h.js'; export const b = <i />;`,
      'h.ts': `export const h = (tag: string, _: unknown, ...rest: string[]) => '<' + tag + '>' + rest.join('');`,
    });
    expect((await load('a.tsx'))['default']).toBe('<p><i>');
  });

  it('reads decorators and class fields as the tsconfig says', async () => {
    const { load } = createLoadedProject({
      'tsconfig.json':
        '{ "compilerOptions": { "experimentalDecorators": true, "useDefineForClassFields": false } }',
      'a.ts': `
        const seen: string[] = [];
        function mark(target: object, key: string) { seen.push(key); }
        class A { @mark field = 1; }
        class Base { value = 1; }
        class Child extends Base { declare value: number; }
        export { seen };
        export const fields = [new A().field, new Child().value];
      `,
    });
    expect(await load('a.ts')).toMatchObject({ seen: ['field'], fields: [1, 1] });
  });

  it('reads a byte order mark, a hashbang, Windows line ends and an empty file', async () => {
    const { load } = createLoadedProject({
      'a.ts':
        `\uFEFF#!/usr/bin/env node\r\nimport './empty.js';\r\nexport const a: number = 1;\r\n`.slice(
          1,
        ),
      'bom.ts': `\uFEFFexport const b = 2;`,
      'empty.ts': '',
    });
    expect(await load('a.ts')).toMatchObject({ a: 1 });
    expect(await load('bom.ts')).toMatchObject({ b: 2 });
    expect(Object.keys(await load('empty.ts'))).toEqual([]);
  });

  it('returns the same namespace for a path, a file URL and an import', async () => {
    const { load, loader, path } = createLoadedProject({
      'a.ts': `import * as b from './b.js'; export { b };`,
      'b.ts': `export const b = {};`,
    });
    const module = await load('b.ts');
    expect(await loader.importModule(`file://${path('b.ts')}`)).toBe(module);
    expect((await load('a.ts'))['b']).toBe(module);
  });
});
