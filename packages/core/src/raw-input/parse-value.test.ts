import { describe, expect, it } from 'vitest';
import { parseBoolean, parseNumber } from './parse-value.js';

describe('parseNumber', () => {
  it.each([
    ['7', 7],
    ['-0.5', -0.5],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['007', 7],
  ])('reads %s', (typed, value) => {
    expect(parseNumber(typed)).toBe(value);
  });

  it.each(['', ' ', '.', 'e3', '0x10', '1,000', '−3', 'Infinity', '1e999', 'NaN', '7 '])(
    'does not read %j',
    (typed) => {
      expect(parseNumber(typed)).toBeUndefined();
    },
  );
});

describe('parseBoolean', () => {
  it('reads four words for each value, in any case', () => {
    expect(['true', 'YES', 'On', '1'].map(parseBoolean)).toEqual([true, true, true, true]);
    expect(['false', 'NO', 'Off', '0'].map(parseBoolean)).toEqual([false, false, false, false]);
  });

  it.each(['', 'maybe', 'y', 'constructor'])('does not read %j', (typed) => {
    expect(parseBoolean(typed)).toBeUndefined();
  });
});
