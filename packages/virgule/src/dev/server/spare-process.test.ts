import { describe, expect, it } from 'vitest';
import { createFakeClock } from '@virgule/core/clock';
import { createSpareProcess, hasMemoryForSpare } from './spare-process.js';

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

describe('createSpareProcess', () => {
  it('does without a spare process where none can be started', async () => {
    const clock = createFakeClock();
    let attempts = 0;
    const spare = createSpareProcess({
      root: '',
      clock,
      fork() {
        attempts += 1;
        // As for an environment that is too large, Node.js throws at once.
        throw Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' });
      },
    });
    spare.prepare({});
    await clock.advance(1_000);
    expect(attempts).toBe(1);
    spare.discard();
  });
});
