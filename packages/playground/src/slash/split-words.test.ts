import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from './split-words.js';

const texts = (line: string) => splitWords(line).map((word) => word.text);

describe('splitWords', () => {
  it('splits at white space of any kind', () => {
    expect(texts('  /play\t one\n two ')).toEqual(['/play', 'one', 'two']);
    expect(texts('')).toEqual([]);
  });

  it('keeps quoted words together, smart quotes too', () => {
    expect(texts(`"two words" 'and more' “smart ones” ‘here’`)).toEqual([
      'two words',
      'and more',
      'smart ones',
      'here',
    ]);
  });

  it('takes an apostrophe inside a word for a letter', () => {
    expect(texts("don't it’s")).toEqual(["don't", 'it’s']);
  });

  it.each([
    [`'tis late`, ["'tis", 'late']],
    [`‘tis late`, ['‘tis', 'late']],
    [`'it's fine' x`, ["it's fine", 'x']],
    [`rock 'n' roll`, ['rock', 'n', 'roll']],
  ])('closes the single quotes of %s only at the end of a word', (line, words) => {
    expect(texts(line)).toEqual(words);
  });

  it.each([
    ['„zwei Wörter“ x', 'zwei Wörter'],
    ['„dwa słowa” x', 'dwa słowa'],
    ['«deux mots» x', 'deux mots'],
    ['»zwei Wörter« x', 'zwei Wörter'],
    ['”två ord” x', 'två ord'],
    ['‚zwei Wörter‘ x', 'zwei Wörter'],
  ])('knows the quotes of %s', (line, first) => {
    expect(texts(line)).toEqual([first, 'x']);
  });

  it('takes what follows a closing quote at once for a part of the word', () => {
    expect(texts('"a b"c d')).toEqual(['a bc', 'd']);
  });

  it('loses no character that is not a quote, a blank or an escape', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', '1', ' ', '"', "'", '“', '”', ':', '=', 'é'),
    });
    const letters = (text: string): string => text.replaceAll(/[\s"'“”]/g, '');
    const property = fc.property(line, (text) => {
      const words = splitWords(text);
      expect(words.map((word) => letters(word.text)).join('')).toBe(letters(text));
      // They stand in order, and none inside another.
      let end = 0;
      for (const word of words) {
        expect(word.start).toBeGreaterThanOrEqual(end);
        expect(word.end).toBeGreaterThan(word.start);
        end = word.end;
      }
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });

  it('reads escapes within quotes', () => {
    expect(texts('"a \\" b \\\\ c"')).toEqual(['a " b \\ c']);
  });

  it('lets a quote left open run to the end', () => {
    expect(texts('say "this and')).toEqual(['say', 'this and']);
  });

  it('keeps a named value with its quotes as one word', () => {
    expect(texts('name:"two words" --why="so it is" x')).toEqual([
      'name:"two words"',
      '--why="so it is"',
      'x',
    ]);
  });

  it('says where each word stands, quotes included', () => {
    const line = '/ban "Ada L" now';
    const places = splitWords(line).map((word) => line.slice(word.start, word.end));
    expect(places).toEqual(['/ban', '"Ada L"', 'now']);
  });
});
