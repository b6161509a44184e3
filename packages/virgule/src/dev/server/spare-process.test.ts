import { describe, expect, it } from 'vitest';
import { hasMemoryForSpare } from './spare-process.js';

const GIB = 2 ** 30;

describe('hasMemoryForSpare', () => {
  it.each([
    ['linux', 4, 8, true],
    ['linux', 3.9, 64, false],
    ['darwin', 0.1, 8, true],
    ['darwin', 2, 4, false],
  ] as const)('on %s with %s of %s GiB free: %s', (platform, free, total, expected) => {
    expect(hasMemoryForSpare({ platform, free: free * GIB, total: total * GIB })).toBe(expected);
  });
});
