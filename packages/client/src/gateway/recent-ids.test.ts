import { describe, expect, it } from 'vitest';
import { RecentIds } from './recent-ids.js';

describe('RecentIds', () => {
  it('knows an id again, for at least as many ids as it keeps', () => {
    const ids = new RecentIds(3);
    expect(ids.add('a')).toBe(true);
    expect(ids.add('a')).toBe(false);
    expect(['b', 'c', 'd'].map((id) => ids.add(id))).toEqual([true, true, true]);
    expect(ids.add('a')).toBe(false);
  });

  it('forgets those that are old', () => {
    const ids = new RecentIds(3);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) ids.add(id);
    expect(ids.add('a')).toBe(true);
    expect(ids.add('g')).toBe(false);
  });
});
