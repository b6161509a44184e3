import { describe, expect, it } from 'vitest';
import { nameFiles } from './name-files.js';

describe('nameFiles', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd'], 'a, b, c and 1 other file'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 other files'],
    [[`${'a'.repeat(200)}.csv`], `${'a'.repeat(20)}…${'a'.repeat(16)}.csv`],
  ])('names %j', (names, expected) => {
    expect(nameFiles(names)).toBe(expected);
  });
});
