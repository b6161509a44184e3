import { describe, expect, it } from 'vitest';
import { parseBoolean, parseNumber } from './parse-value.js';

describe('parseNumber', () => {
  it.each([
    ['7', 7],
    ['-0.5', -0.5],
    ['−3', -3],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['007', 7],
  ])('reads %s', (typed, value) => {
    expect(parseNumber(typed)).toBe(value);
  });

  it.each(['', ' ', '.', 'e3', '0x10', '1,000', '−−3', 'Infinity', '1e999', 'NaN', '7 '])(
    'does not read %j',
    (typed) => {
      expect(parseNumber(typed)).toBeUndefined();
    },
  );
});

describe('parseBoolean', () => {
  it('reads five words for each value, in any case', () => {
    expect(['true', 'YES', 'Y', 'On', '1'].every((word) => parseBoolean(word) === true)).toBe(true);
    expect(['false', 'NO', 'n', 'Off', '0'].every((word) => parseBoolean(word) === false)).toBe(
      true,
    );
  });

  it.each(['', 'maybe', 'ye', 'constructor'])('does not read %j', (typed) => {
    expect(parseBoolean(typed)).toBeUndefined();
  });
});
