import { describe, expect, it } from 'vitest';
import { readJsonc } from './json-fault.js';

describe('readJsonc', () => {
  it.each([
    ['{}', {}],
    ['{ "compilerOptions": { "strict": true } }', { compilerOptions: { strict: true } }],
    ['\uFEFF{}', {}],
    ['// a comment\n{ /* and\nanother */ "a": 1 }', { a: 1 }],
    ['{ "a": [1, 2,], }', { a: [1, 2] }],
    ['{ "a": 1, // the last\n}', { a: 1 }],
    [
      '{ "a": "// no comment, }", "b": "say \\"hi\\",]" }',
      { a: '// no comment, }', b: 'say "hi",]' },
    ],
  ])('reads %j', (text, value) => {
    expect(readJsonc(text)).toEqual({ value });
  });

  it.each<[string, number, number, string]>([
    ['{\n  "a": tru\n}', 2, 8, 'Unexpected "tru" in JSON'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'Expected "," in JSON but found "\\"b\\""'],
    ['{ "a": 1', 1, 9, 'end of file'],
    ['', 1, 1, 'end of file'],
    ["{ 'a': 1 }", 1, 3, 'JSON'],
    ['{ "a": 1 } }', 1, 12, 'end of file'],
    ['// größe\n{ "größe": ,, }', 2, 12, 'Unexpected ","'],
    // A blank from a web page, which esbuild reads over.
    ['{\n\u00A0"a": 1 }', 1, 1, 'JSON'],
  ])('finds the place in %j', (text, line, column, reason) => {
    const { fault } = readJsonc(text);
    expect([fault?.line, fault?.column]).toEqual([line, column]);
    expect(fault?.reason).toContain(reason);
  });
});
