import { init } from 'es-module-lexer';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { META_NAME, printAsyncModule, readModule, REQUEST } from './read-module.js';

beforeAll(() => init());

const convert = async (
  text: string,
  format: 'cjs' | 'esm' = 'cjs',
  tsconfigRaw = '{}',
): Promise<string> => {
  const options = { format, platform: 'neutral', target: 'node20', logLevel: 'silent' } as const;
  const banner = format === 'cjs' ? '"use strict";' : '';
  return (await transform(text, { ...options, banner, loader: 'ts', tsconfigRaw })).code;
};
const read = async (text: string) => readModule(await convert(text));

const CODE = `#!/usr/bin/env node
import main, { a as b, "own name" as o, type T } from "./x.js";
import * as ns from "./x.js";
import { Unused } from "./types.js";
import "./side.js";
export * from "./y.js";
export { default, c as d } from "./z.js";
export * as all from "./all.js";
const url = import.meta.url + "import.meta import('x')";
const lazy = () => import("./lazy.js"), any = (n: string) => import("./" + n);
const own = main(o, ns, lazy, any, url);
export { b as again, ns, own as "own name" };
`;

describe('readModule', () => {
  it('returns what a module imports and exports', async () => {
    const parts = await read(CODE);
    expect(parts.requests).toEqual([
      { specifier: './x.js', names: new Set(['a', 'default', 'own name']) },
      { specifier: './side.js', names: new Set() },
      { specifier: './y.js', names: new Set() },
      { specifier: './z.js', names: new Set(['default', 'c']) },
      { specifier: './all.js', names: new Set() },
    ]);
    expect([...parts.localExports]).toEqual(['own name']);
    expect([...parts.reexports]).toEqual([
      ['again', { specifier: './x.js', imported: 'a' }],
      ['all', { specifier: './all.js', imported: '*' }],
      ['d', { specifier: './z.js', imported: 'c' }],
      ['default', { specifier: './z.js', imported: 'default' }],
      ['ns', { specifier: './x.js', imported: '*' }],
    ]);
    expect(parts.stars).toEqual(['./y.js']);
    expect(parts.dynamic).toEqual(['./lazy.js', undefined]);
  });

  it('reads a module of a project with strict types, which begins with a second "use strict"', async () => {
    const strict = '{ "compilerOptions": { "strict": true } }';
    expect(readModule(await convert(CODE, 'cjs', strict)).requests).toEqual(
      (await read(CODE)).requests,
    );
  });

  it('keeps each line and column of the code', async () => {
    const converted = await convert(CODE);
    const { code, importName } = await read(CODE);
    const [before, after] = [converted, code].map((text) => text.split('\n'));
    expect(after).toHaveLength(before?.length ?? 0);
    expect(after?.at(0)).toBe('');
    expect(after?.findLast((line) => line.includes('any'))).toHaveLength(
      before?.findLast((line) => line.includes('any'))?.length ?? 0,
    );
    expect(code).toContain(`${importName}("./lazy.js")`);
    expect(code).toContain(`${META_NAME}.url + "import.meta import('x')"`);
  });

  it('takes for an import only what precedes the code', async () => {
    const text = 'const text = `\nvar x = require("x");\nconst import_meta = {};\n`;';
    const parts = await read(`${text}\nvar y = require("y");`);
    expect(parts.requests).toEqual([]);
    expect(parts.code).toContain(text);
  });

  it.each([`'use strict';`, `"use client"; 'use "strict"';`, `#!/usr/bin/env node\n'use strict';`])(
    'reads the imports after %s',
    async (directives) => {
      const { requests } = await read(`${directives}\nimport { a } from './a.js';\na();`);
      expect(requests).toEqual([{ specifier: './a.js', names: new Set(['a']) }]);
    },
  );

  it('picks names that the code does not use', async () => {
    const { importName, hasMeta } = await read(
      'const $load_ = 1, import_meta = 2; import("x"); console.log(import.meta, $load_, import_meta);',
    );
    expect([importName, hasMeta]).toEqual(['$____0', true]);
    const other = await read('const import_meta = 2; console.log(import_meta);');
    expect(other.hasMeta).toBe(false);
  });

  it('reads names and specifiers with escapes', async () => {
    const { requests } = await read(String.raw`import { "a\"\n" as a } from "./\0x"; a();`);
    expect(requests).toEqual([{ specifier: './\0x', names: new Set(['a"\n']) }]);
  });
});

describe('printAsyncModule', () => {
  it('makes a function of the code that passes the exports first', async () => {
    const stripped = await convert(`${CODE}await own; export let late = 1;`, 'esm');
    const { text, names } = printAsyncModule(stripped);
    expect(names.toSorted()).toEqual(['again', 'all', 'd', 'default', 'late', 'ns', 'own name']);
    const [head = '', ...lines] = text.split('\n');
    expect(head).toContain('get ["again"]() { return b; }');
    expect(head).toContain('get ["own name"]() { return own; }');
    const source = stripped.split('\n');
    expect(lines.indexOf('await own;')).toBe(source.indexOf('await own;'));
    expect(text.trimEnd().split('\n').at(-1)).toBe('export { virgule_run_ as virgule_run };');
  });
});

describe('REQUEST', () => {
  it('knows the requests that were printed from others', () => {
    expect(REQUEST.exec('import:./x.js')?.slice(1)).toEqual(['', './x.js']);
    expect(REQUEST.exec('import*:./x.js')?.slice(1)).toEqual(['*', './x.js']);
    expect(REQUEST.exec('./x.js')).toBeNull();
  });
});
