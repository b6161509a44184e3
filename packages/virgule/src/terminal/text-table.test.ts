import { describe, expect, it } from 'vitest';
import { flowCells, layOutTable, wrapText, type TextTable } from './text-table.js';

const asIs = (text: string): string => text;
const table: TextTable = {
  head: ['name', 'file', 'notes'],
  rows: [
    ['/a', 'commands/a.ts', ''],
    ['/longer', 'commands/b.ts', 'two words'],
  ],
};
const lay = (columns: number, of = table): string[] =>
  layOutTable(of, { columns, strong: asIs, dim: asIs });

describe('flowCells', () => {
  const cells = ['12:00', 'pending  ', 'digest:1', '{"text":"a cup of tea"}'];

  it('puts the cells of a row on one line if they fit', () => {
    expect(flowCells(cells, 51)).toBe(cells.join('  '));
    expect(flowCells(cells, Infinity)).toBe(cells.join('  '));
  });

  it('breaks a narrow row between its cells', () => {
    expect(flowCells(cells, 26).split('\n')).toEqual([
      '12:00  pending    digest:1',
      '  {"text":"a cup of tea"}',
    ]);
  });

  it('breaks a cell at its spaces, and never an id', () => {
    expect(flowCells(cells, 17).split('\n')).toEqual([
      '12:00  pending',
      '  digest:1',
      '  {"text":"a cup',
      '  of tea"}',
    ]);
    expect(flowCells(['open', 'digest:0001795441478059'], 12)).toBe(
      'open\n  digest:0001795441478059',
    );
  });
});

describe('layOutTable', () => {
  it('puts columns next to each other, each as wide as its widest cell', () => {
    expect(lay(Infinity)).toEqual([
      '  name     file           notes',
      '  /a       commands/a.ts',
      '  /longer  commands/b.ts  two words',
    ]);
  });

  it('does so up to the last column that fits', () => {
    expect(lay(35)).toHaveLength(3);
    expect(lay(34).length).toBeGreaterThan(3);
  });

  it('puts each row as a block where there is no room, without its empty cells', () => {
    expect(lay(30)).toEqual([
      '  /a',
      '    file   commands/a.ts',
      '  /longer',
      '    file   commands/b.ts',
      '    notes  two words',
    ]);
  });

  it('breaks long cells between words, and words only when it must', () => {
    const long = { head: ['a', 'b'], rows: [['/x', `one two three ${'y'.repeat(20)}`]] };
    expect(lay(20, long)).toEqual([
      '  /x',
      '    b  one two three',
      '       yyyyyyyyyyyyy',
      '       yyyyyyy',
    ]);
  });

  it('reserves two columns for wide characters', () => {
    const wide = {
      head: ['name', 'file'],
      rows: [
        ['/天気 [都市]', 'commands/天気.ts'],
        ['/👍', 'commands/b.ts'],
      ],
    };
    expect(lay(80, wide)).toEqual([
      '  name          file',
      '  /天気 [都市]  commands/天気.ts',
      '  /👍           commands/b.ts',
    ]);
    expect(lay(32, wide)).toHaveLength(3);
    expect(lay(31, wide).length).toBeGreaterThan(3);
  });

  it('leaves out a column that has nothing in it', () => {
    const empty = { head: ['a', 'b', 'c'], rows: [['1', '', '3']] };
    expect(lay(80, empty)).toEqual(['  a  c', '  1  3']);
  });

  it('is nothing without rows', () => {
    expect(lay(80, { head: ['a'], rows: [] })).toEqual([]);
  });

  it('marks heads and first cells without changing the widths', () => {
    const marked = layOutTable(table, {
      columns: Infinity,
      strong: (text) => `<${text}>`,
      dim: (text) => `(${text})`,
    });
    expect(marked[0]).toBe('(  name     file           notes)');
    expect(marked[1]).toBe('  </a     >  commands/a.ts');
  });
});

describe('wrapText', () => {
  it.each<[string, number, string[]]>([
    ['one two three', 20, ['one two three']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 4, ['one', 'two', 'thre', 'e']],
    ['', 10, ['']],
    ['abcdef', 3, ['abc', 'def']],
    ['東京の天気', 5, ['東京', 'の天', '気']],
    ['東京 天気', 9, ['東京 天気']],
    ['東京 天気', 8, ['東京', '天気']],
    ['東京', 1, ['東', '京']],
  ])('wraps %j at %i', (text, width, lines) => {
    expect(wrapText(text, width).filter((line) => line !== '' || text === '')).toEqual(lines);
  });

  it('wraps nothing where there is no end of the line', () => {
    expect(wrapText('x '.repeat(500).trim(), Infinity)).toHaveLength(1);
  });
});
