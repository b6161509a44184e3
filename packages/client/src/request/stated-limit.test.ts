import { describe, expect, it } from 'vitest';
import { statedLimit } from './outcome.js';

describe('statedLimit', () => {
  it.each<[string | readonly string[] | undefined, number | undefined]>([
    ['5', 5],
    [' 50 ', 50],
    [['3', '9'], 3],
    ['0', undefined],
    ['', undefined],
    ['many', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1'.repeat(16), undefined],
    [undefined, undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(statedLimit({ 'x-ratelimit-limit': value })).toBe(expected);
  });
});
