import { describe, expect, it } from 'vitest';
import { LruMap } from './lru-map.js';

describe('LruMap', () => {
  it('never grows past its size', () => {
    const map = new LruMap<number>(20, (value) => value < 0);
    for (let value = 0; value < 1_000; value += 1) {
      map.set(String(value), value);
      expect(map.size).toBeLessThanOrEqual(20);
      expect(map.get(String(value))).toBe(value);
    }
    expect(map.values()).toHaveLength(map.size);
  });

  it('forgets what was not asked for in a long time', () => {
    const map = new LruMap<string>(10);
    map.set('asked for', 'a');
    map.set('forgotten', 'b');
    for (let index = 0; index < 100; index += 1) {
      map.set(String(index), 'x');
      expect(map.get('asked for')).toBe('a');
    }
    expect(map.get('forgotten')).toBeUndefined();
  });

  it('holds at least the newest half', () => {
    const map = new LruMap<number>(10);
    for (let value = 0; value < 100; value += 1) map.set(String(value), value);
    for (let value = 95; value < 100; value += 1) expect(map.get(String(value))).toBe(value);
  });

  it.each([3, 100])('does not let go what has to be kept, here %d entries', (count) => {
    const map = new LruMap<number>(20, (value) => value < count);
    for (let value = 0; value < 1_000; value += 1) map.set(String(value), value);
    const kept = Array.from({ length: count }, (_, value) => value);
    expect(kept.map((value) => map.get(String(value)))).toEqual(kept);
    expect(map.size).toBeLessThanOrEqual(2 * count + 20);
  });

  it('asks seldom what has to be kept, however much that is', () => {
    let asked = 0;
    const map = new LruMap<number>(2_000, () => (asked += 1) > 0);
    for (let value = 0; value < 10_000; value += 1) map.set(String(value), value);
    expect(map.size).toBe(10_000);
    expect(asked).toBeLessThan(100_000);
  });

  it('replaces and forgets on demand, and lists what it has', () => {
    const map = new LruMap<number>(4);
    map.set('a', 1);
    map.set('a', 2);
    map.set('b', 3);
    map.delete('b');
    map.delete('b');
    expect(map.entries()).toEqual([['a', 2]]);
    expect(map.size).toBe(1);
  });
});
