import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findClosingQuote, quote, unescapeQuoted } from './quotes.js';

describe('quote', () => {
  it('is reversed by unescapeQuoted', () => {
    const unit = fc.constantFrom('a', ' ', '"', "'", '“', '”', '\\', '\n');
    fc.assert(
      fc.property(fc.string({ unit }), (value) => {
        const quoted = quote(value);
        expect(findClosingQuote(quoted, 0)).toBe(quoted.length - 1);
        expect(unescapeQuoted(quoted.slice(1, -1))).toBe(value);
      }),
    );
  });
});

describe('findClosingQuote', () => {
  it.each([
    [`"two words" x`, 10],
    [`'it's fine' x`, 10],
    [`'tis late`, -1],
    [`„zwei Wörter“ x`, 12],
    [`„dwa słowa” x`, 10],
    [`«deux mots» x`, 10],
    [`»zwei Wörter« x`, 12],
    [`”två ord” x`, 8],
    [`‚zwei Wörter‘ x`, 12],
    [`‹deux mots› x`, 10],
    [`「a b」 x`, 4],
    [`『a \\』 b』 x`, 7],
    [String.raw`"a \" b" x`, 7],
    ['“two words" x', 10],
    ['"two words” x', 10],
    ['“say "hi" there” x', 15],
    ['"open', -1],
    ['«open" x', -1],
  ])('finds the quote that closes the first one of %s', (line, index) => {
    expect(findClosingQuote(line, 0)).toBe(index);
  });
});
