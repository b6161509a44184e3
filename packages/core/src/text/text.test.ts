import { describe, expect, it } from 'vitest';
import { compareText, countOf, listOf, oneLine } from '../text.js';

describe('compareText', () => {
  it('orders strings as `sort` does by default', () => {
    const texts = ['b', 'a', 'B', '', 'ä', 'a'];
    expect(texts.toSorted(compareText)).toEqual(texts.toSorted());
    expect(compareText('a', 'a')).toBe(0);
  });
});

describe('countOf', () => {
  it.each([
    [0, '0 files'],
    [1, '1 file'],
    [2, '2 files'],
    [-1, '-1 files'],
    [1.5, '1.5 files'],
  ])('writes a count of %d', (count, text) => {
    expect(countOf(count, 'file')).toBe(text);
  });

  it('uses an irregular plural', () => {
    expect([1, 2].map((count) => countOf(count, 'entry', 'entries'))).toEqual([
      '1 entry',
      '2 entries',
    ]);
  });
});

describe('listOf', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('lists %j', (items, text) => {
    expect(listOf(items)).toBe(text);
  });

  it('lists alternatives', () => {
    expect(listOf(['js', 'ts', 'json'], 'or')).toBe('js, ts or json');
  });
});

describe('oneLine', () => {
  it.each([
    ['a\n  b\t\u00a0c ', 'a b c'],
    [' \n ', ''],
    ['', ''],
    ['as it is', 'as it is'],
  ])('joins %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});
