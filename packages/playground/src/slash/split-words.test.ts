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
