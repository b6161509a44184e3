import { describe, expect, it } from 'vitest';
import { beginningOf, cutTo, padTo, widthOf, wrapParts } from './fit-line.js';

describe('widthOf', () => {
  it('counts letters as people do, and no colours', () => {
    expect(widthOf('\u001B[2mabc\u001B[22m')).toBe(3);
    expect(widthOf('e\u0301')).toBe(1);
  });

  it.each([
    ['日本語', 6],
    ['한국어', 6],
    ['ひらがな', 8],
    ['ﾊﾝｶｸ', 4],
    ['ｆｕｌｌ、', 10],
    ['𠮷', 2],
    ['👩‍👩‍👧', 2],
    ['👍🏽🎉', 4],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['❤', 1],
    ['➜ · …', 5],
    ['Привет', 6],
    ['\u200B\u200D', 0],
    ['', 0],
  ])('counts %j as %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });
});

describe('padTo', () => {
  it.each([
    ['ab', 4, 'ab  '],
    ['日', 4, '日  '],
    ['👍', 3, '👍 '],
    ['long', 2, 'long'],
  ])('fills %j to %i columns', (text, columns, padded) => {
    expect(padTo(text, columns)).toBe(padded);
  });
});

describe('beginningOf', () => {
  it.each([
    ['日本語', 5, '日本'],
    ['日本語', 6, '日本語'],
    ['日本語', 1, ''],
    ['ab', 2, 'ab'],
  ])('takes of %j what fits into %i columns', (text, columns, beginning) => {
    expect(beginningOf(text, columns)).toBe(beginning);
  });
});

describe('cutTo', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2, '…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
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
