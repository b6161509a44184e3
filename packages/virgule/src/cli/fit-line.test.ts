import { describe, expect, it } from 'vitest';
import { cutTo, widthOf, wrapParts } from './fit-line.js';

describe('widthOf', () => {
  it('counts letters as people do, and no colours', () => {
    expect(widthOf('\u001B[2mabc\u001B[22m')).toBe(3);
    expect(widthOf('e\u0301👩‍👩‍👧')).toBe(2);
  });
});

describe('cutTo', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2, '👩‍👩‍👧…'],
    ['abc', 1, '…'],
    ['abc', 0, '…'],
    ['', 0, ''],
  ])('cuts %j to %i columns', (text, columns, cut) => {
    expect(cutTo(text, columns)).toBe(cut);
  });
});

describe('wrapParts', () => {
  it('puts as many parts on a line as fit', () => {
    expect(wrapParts(['aa', 'bb', 'cc'], '  ', 9)).toEqual(['  aa · bb', '  cc']);
    expect(wrapParts(['aa', 'bb'], '', Number.POSITIVE_INFINITY)).toEqual(['aa · bb']);
    expect(wrapParts(['too long for it'], ' ', 5)).toEqual([' too long for it']);
    expect(wrapParts([], '', 5)).toEqual([]);
  });
});
