import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginningOf, cutTo, padTo, widthOf } from './fit-line.js';

describe('widthOf', () => {
  it('counts characters by their display width, and ignores colors', () => {
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

describe('widthOf, of long texts', () => {
  it('returns the longest beginning that fits', () => {
    const letter = fc.constantFrom('a', 'é', '日', '👩‍👩‍👧', '🇩🇪', 'e\u0301');
    fc.assert(
      fc.property(fc.array(letter, { minLength: 50, maxLength: 400 }), (parts) => {
        const fitting = parts.findIndex((_, at) => widthOf(parts.slice(0, at + 1).join('')) > 30);
        expect(beginningOf(parts.join(''), 30)).toBe(parts.slice(0, fitting).join(''));
      }),
      { seed: 20, numRuns: 500 },
    );
  });

  // Minutes, if each letter costs a look at the whole text.
  it.each(['y', '日', '👩‍👩‍👧', '\u0301'])('counts a million times %j in no time', (letter) => {
    const text = letter.repeat(1_000_000);
    expect(widthOf(text, 80)).toBeLessThanOrEqual(1_000_000);
    expect(widthOf(cutTo(text, 80), 80)).toBeLessThanOrEqual(80);
    expect(cutTo(text, 80).length).toBeLessThanOrEqual(80 * 32);
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
