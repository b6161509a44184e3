import { describe, expect, it } from 'vitest';
import { RecentIds } from './recent-ids.js';

describe('RecentIds', () => {
  it('tells an id that was there from a new one', () => {
    const ids = new RecentIds(10);
    expect([ids.add('a'), ids.add('b'), ids.add('a')]).toEqual([true, true, false]);
  });

  it('forgets the oldest ones and keeps the newest of its limit', () => {
    const ids = new RecentIds(3);
    for (const id of ['a', 'b', 'c', 'd']) ids.add(id);
    expect(['b', 'c', 'd'].map((id) => ids.add(id))).toEqual([false, false, false]);
    expect(ids.add('a')).toBe(true);
    expect(ids.add('b')).toBe(true);
  });
});
