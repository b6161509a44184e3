import { describe, expect, it } from 'vitest';
import { editorUrl, splitPlaces } from './source-place.js';

const place = (text: string, file: string, line: string, column = '1') => ({
  text,
  file,
  line,
  column,
});

describe('splitPlaces', () => {
  it.each([
    ['commands/a.ts:3:36', [place('commands/a.ts:3:36', 'commands/a.ts', '3', '36')]],
    ['commands/a.ts', ['commands/a.ts']],
    [
      'TypeError: x\n    at run (./commands/(admin)/b.mjs:3:6)\n    at c.ts:9',
      [
        'TypeError: x\n    at run (',
        place('./commands/(admin)/b.mjs:3:6', 'commands/(admin)/b.mjs', '3', '6'),
        ')\n    at ',
        place('c.ts:9', 'c.ts', '9'),
      ],
    ],
    ['at (/etc/x.js:1:2) node:fs.js:1 ../y.ts:1', ['at (/etc/x.js:1:2) node:fs.js:1 ../y.ts:1']],
    ['at a/../../../y.ts:1 (./../y.ts:2)', ['at a/../../../y.ts:1 (./../y.ts:2)']],
    ['at (./node_modules/z/z.js:1:2)', ['at (./node_modules/z/z.js:1:2)']],
    ['http://a.ts:80', ['http://a.ts:80']],
    ['', []],
  ])('%j', (text, parts) => {
    expect(splitPlaces(text)).toEqual(parts);
  });
});

it('editorUrl() fills an address in', () => {
  const template = 'vscode://file/bot/{file}:{line}:{column}';
  expect(editorUrl(template, { file: 'commands/a b.ts', line: '3', column: '1' })).toBe(
    'vscode://file/bot/commands/a%20b.ts:3:1',
  );
  // Otherwise the name could add parameters to the address.
  expect(
    editorUrl('idea://open?file=/bot/{file}', { file: 'a&b#c?d.ts', line: '3', column: '1' }),
  ).toBe('idea://open?file=/bot/a%26b%23c%3Fd.ts');
});
