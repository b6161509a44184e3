import { describe, expect, it } from 'vitest';
import { RecentIds } from './recent-ids.js';

describe('RecentIds', () => {
  it('distinguishes a known id from a new one', () => {
    const ids = new RecentIds(10);
    expect([ids.add('a'), ids.add('b'), ids.add('a')]).toEqual([true, true, false]);
  });

  it('knows the latest ids, at least as many as its limit', () => {
    const ids = new RecentIds(3);
    const seen: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      expect(ids.add(String(n))).toBe(true);
      seen.push(String(n));
      expect(seen.slice(-3).filter((id) => ids.add(id))).toEqual([]);
    }
  });

  it('forgets an id after twice as many others', () => {
    const ids = new RecentIds(3);
    for (let n = 0; n < 6; n += 1) ids.add(String(n));
    expect(ids.add('0')).toBe(true);
  });

  it('finds and forgets an id of either generation', () => {
    const ids = new RecentIds(2);
    for (const id of ['a', 'b', 'c']) ids.add(id);
    expect(['a', 'b', 'c', 'd'].filter((id) => ids.has(id))).toEqual(['a', 'b', 'c']);
    expect([ids.delete('a'), ids.delete('c'), ids.delete('a')]).toEqual([true, true, false]);
    expect(['a', 'b', 'c'].filter((id) => ids.has(id))).toEqual(['b']);
  });
});
