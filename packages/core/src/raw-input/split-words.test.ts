import { describe, expect, it } from 'vitest';
import { splitWords } from './split-words.js';

describe('splitWords', () => {
  it.each<[string, readonly string[] | null]>([
    ['', []],
    ['  a  b\n', ['a', 'b']],
    [`"a b" 'c d' “e”`, ['a b', 'c d', 'e']],
    [String.raw`\"a it's ""`, ['"a', "it's", '']],
    ['a "b c', null],
  ])('splits %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});
