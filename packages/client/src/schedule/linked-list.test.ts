import { describe, expect, it } from 'vitest';
import { LinkedList } from './linked-list.js';

function drain<Value>(list: LinkedList<Value>): Value[] {
  const values: Value[] = [];
  for (let value = list.shift(); value !== undefined; value = list.shift()) values.push(value);
  return values;
}

describe('LinkedList', () => {
  it('gives back in the order it was given, and those put in front first', () => {
    const list = new LinkedList<number>();
    list.push(1);
    list.push(2);
    list.unshift(0);
    expect(list.first).toBe(0);
    expect(list.size).toBe(3);
    expect(drain(list)).toEqual([0, 1, 2]);
    expect(list.size).toBe(0);
    expect(list.first).toBeUndefined();
  });

  it.each([
    ['the first', 0, [1, 2]],
    ['one between', 1, [0, 2]],
    ['the last', 2, [0, 1]],
  ])('lets %s go', (_name, index, left) => {
    const list = new LinkedList<number>();
    const nodes = [0, 1, 2].map((value) => list.push(value));
    const node = nodes[index];
    if (node) list.remove(node);
    if (node) list.remove(node);
    expect(list.size).toBe(2);
    list.push(3);
    expect(drain(list)).toEqual([...left, 3]);
  });

  it('leaves alone what stands in another list', () => {
    const here = new LinkedList<string>();
    const there = new LinkedList<string>();
    const node = there.push('x');
    here.push('y');
    here.remove(node);
    expect([here.size, there.size]).toEqual([1, 1]);
    expect(node.list).toBe(there);
  });
});
