import { init } from 'es-module-lexer';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  parseImportClause,
  printAsyncModule,
  printModule,
  readModule,
  specifierOf,
} from './read-module.js';

beforeAll(() => init());

/** Content of each line of the module below the head. */
const below = (text: string): string[] => text.split('\n').slice(1);

const CODE = `import main, { a as b } from "./x.js";
import * as ns from "./x.js";
export * from "./y.js";
const url = import.meta.url + "import.meta import('x')";
const lazy = () => import("./z.js"), any = (n) => import("./" + n);
const own = 1;
export {
  b as again,
  lazy,
  ns,
  own as "own name",
  url as default
};
`;

describe('readModule', () => {
  it('returns what a module imports and exports', () => {
    const parts = readModule(CODE);
    expect(parts.requests).toEqual([
      {
        specifier: './x.js',
        names: [
          { imported: 'default', local: 'main' },
          { imported: 'a', local: 'b' },
          { imported: '*', local: 'ns' },
        ],
        position: { line: 0, column: 30 },
      },
      { specifier: './y.js', names: [], position: { line: 2, column: 15 } },
    ]);
    expect([...parts.localExports]).toEqual(['lazy', 'own name', 'default']);
    expect([...parts.reexports]).toEqual([
      ['again', { specifier: './x.js', imported: 'a' }],
      ['ns', { specifier: './x.js', imported: '*' }],
    ]);
    expect(parts.stars).toEqual(['./y.js']);
    expect(parts.dynamic).toMatchObject([
      { specifier: './z.js', position: { line: 4 } },
      { specifier: undefined, position: { line: 4 } },
    ]);
  });

  it('picks names that the code does not use', () => {
    const { importName, metaName, runName, body } = readModule(
      `const $load_ = 1, import_meta = 2, virgule_run = 3;\nimport("x");\nimport.meta;\n`,
    );
    for (const name of [importName, metaName, runName])
      expect(['$load_', 'import_meta', 'virgule_run']).not.toContain(name);
    expect(body.split('\n').slice(1)).toEqual([`${importName}("x");`, `${metaName};`, '']);
    expect([importName.length, metaName.length]).toEqual(['import'.length, 'import.meta'.length]);
  });
});

describe('printModule', () => {
  it('puts the imports on a line of their own and keeps every other place', () => {
    const text = printModule(readModule(CODE));
    expect(text.split('\n')[0]).toBe(
      'import { "virgule:default" as main, "a" as b, "virgule:*" as ns } from "import:./x.js"; ' +
        'import "import:./y.js";',
    );
    const source = CODE.split('\n');
    below(text).forEach((line, index) => expect(line).toHaveLength(source[index]?.length ?? 0));
    expect(below(text)[3]).toBe(`const url = import_meta.url + "import.meta import('x')";`);
    expect(below(text)[4]).toBe(
      `const lazy = () => $load_("./z.js"), any = (n) => $load_("./" + n);`,
    );
  });

  it('blanks a hashbang', () => {
    expect(below(printModule(readModule('#!/usr/bin/env node\nrun();\n')))[0]?.trim()).toBe('');
  });
});

describe('printAsyncModule', () => {
  it('makes a function of the code that hands over the exports first', () => {
    const text = printAsyncModule(readModule(CODE));
    expect(text.split('\n')[0]).toContain(
      'const virgule_run = async (virgule_run) => { virgule_run({ ["again"]: () => b, ["lazy"]: () => lazy, ' +
        '["ns"]: () => ns, ["own name"]: () => own, ["default"]: () => url });',
    );
    expect(below(text)[5]).toBe('const own = 1;');
    expect(text.trimEnd().split('\n').at(-1)).toBe('export { virgule_run as virgule_run };');
    expect(text).not.toContain('own as "own name"');
  });
});

describe('specifierOf', () => {
  it('knows the requests that were printed from others', () => {
    expect(specifierOf('import:./x.js')).toBe('./x.js');
    expect(specifierOf('./x.js')).toBeUndefined();
  });
});

/** The names as `imported local`. */
const names = (statement: string): string[] =>
  parseImportClause(statement).map(({ imported, local }) => `${imported} ${local}`);

describe('parseImportClause', () => {
  it.each([
    [`import "x"`, []],
    [`import {} from "x"`, []],
    [`import a from "x"`, ['default a']],
    [`import * as a from "x"`, ['* a']],
    [`import a, * as b from "x"`, ['default a', '* b']],
    [`import { a } from "x"`, ['a a']],
    [`import a, { b as c, default as d } from "x"`, ['default a', 'b c', 'default d']],
    [`import {\n  a,\n  b as c\n} from "x"`, ['a a', 'b c']],
    [`import { "a b" as c, 'd, "e" } from' as f } from "x"`, ['a b c', 'd, "e" } from f']],
    [`import { "quote \\" and \\u00e9" as a } from "x"`, ['quote " and é a']],
    [`import { $ as _, \u00e4 } from "x"`, ['$ _', 'ä ä']],
    [`import from from "from"`, ['default from']],
    [
      `import as, { as, from, as as type, type as as } from "x"`,
      ['default as', 'as as', 'from from', 'as type', 'type as'],
    ],
    [`import{a as b}from"x"`, ['a b']],
  ])('reads %s', (statement, expected) => {
    expect(names(statement)).toEqual(expected);
  });
});
