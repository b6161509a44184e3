import { describe, expect, it } from 'vitest';
import { parseImportClause } from './read-module.js';

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
