import { describe, expect, it } from 'vitest';
import { interaction } from '../../test/sample-world.js';
import { nextTickMs } from './tick.js';

const NOW = 1_800_000_000_000;
const iso = (ms: number) => new Date(NOW + ms).toISOString();

describe('nextTickMs', () => {
  it('is null when time alone changes nothing', () => {
    const done = [interaction({ state: 'answered' }), interaction({ state: 'expired' })];
    expect(nextTickMs(done, [NOW - 1], NOW)).toBeNull();
  });

  it('waits until a new interaction becomes visible', () => {
    expect(nextTickMs([interaction({ createdAt: iso(-100) })], [], NOW)).toBe(200);
  });

  it('follows a countdown second by second', () => {
    const thinking = interaction({
      state: 'deferred',
      createdAt: iso(-9000),
      expiresAt: iso(2_400),
    });
    expect(nextTickMs([thinking], [], NOW)).toBe(400);
    expect(nextTickMs([thinking], [], NOW + 400)).toBe(1000);
  });

  it('ends with the countdown', () => {
    const ended = interaction({ state: 'deferred', createdAt: iso(-9000), expiresAt: iso(0) });
    expect(nextTickMs([ended], [], NOW)).toBeNull();
  });

  it('takes what comes first', () => {
    const thinking = interaction({ state: 'deferred', createdAt: iso(-9000), expiresAt: iso(900) });
    expect(nextTickMs([thinking], [NOW + 50, NOW + 5000], NOW)).toBe(50);
  });
});
