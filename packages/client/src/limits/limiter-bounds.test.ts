import { describe, expect, it } from 'vitest';
import { openLimiter, type Rates } from '../../test/open-limiter.js';
import type { LimitKey } from './limiter.js';

describe('a merge', () => {
  it('holds when 250 other routes are merged after it', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    for (let n = 0; n <= 250; n += 1) {
      const route = `route-${n}`;
      const permits = ['a', 'b'].map((major) => send({ route, major }));
      // Routes with the same limit would be taken for one.
      for (const permit of permits) refuse(permit, 600, { limit: 5 + n, remaining: 0 });
    }
    expect(limiter.snapshot().merges).toHaveLength(251);
    expect(waitMs({ route: 'route-0', major: 'c' })).toBe(600_000);
  });
});

describe('readings that fall as one', () => {
  it('make no more than 50 routes of channels one bucket', () => {
    const opened = openLimiter();
    const many = (remaining: number): Rates => ({ limit: 1_000, remaining });
    const keys = Array.from({ length: 51 }, (_, n) => ({ route: 'messages.send', major: `c${n}` }));
    const [first, second] = keys as [LimitKey, LimitKey];
    const others = keys.slice(2);
    let left = 1_000;
    const readAll = (...them: readonly LimitKey[]): void => {
      for (const key of them) opened.accept(opened.send(key), many((left -= 1)));
    };
    const members = (): number[] =>
      opened.limiter.snapshot().merges.map((merge) => merge.members.length);
    readAll(first, second, first, second, first, second);
    // One that has agreed twice goes into the bucket that the others have become.
    for (const key of others.slice(0, 48)) readAll(key, first, key, first, key, first);
    expect(members()).toEqual([50]);
    for (const key of others.slice(48)) readAll(key, first, key, first, key, first);
    expect(members()).toEqual([50]);
  });
});
