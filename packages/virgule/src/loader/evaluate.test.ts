import { describe, expect, it } from 'vitest';
import { strongComponents } from './graph-module.js';

const componentsOf = (graph: Record<string, string>, root: string): string[] =>
  strongComponents(root, (node) => graph[node] ?? '').map((component) => component.join(''));

describe('strongComponents', () => {
  it('returns dependencies before what needs them, in the order of the walk', () => {
    expect(componentsOf({ a: 'bc', b: 'd', c: 'd', d: '' }, 'a')).toEqual(['d', 'b', 'c', 'a']);
  });

  it('puts a cycle together, with the node it was entered by at the end', () => {
    expect(componentsOf({ a: 'b', b: 'c', c: 'bd', d: '' }, 'a')).toEqual(['d', 'cb', 'a']);
    expect(componentsOf({ a: 'b', b: 'c', c: 'bd', d: '' }, 'c')).toEqual(['d', 'bc']);
  });

  it('keeps the order of the walk inside a cycle', () => {
    expect(componentsOf({ a: 'bc', b: 'a', c: 'ba' }, 'a')).toEqual(['bca']);
  });

  it('puts cycles that touch each other together, others apart', () => {
    expect(componentsOf({ a: 'b', b: 'ac', c: 'd', d: 'c' }, 'a')).toEqual(['dc', 'ba']);
    expect(componentsOf({ a: 'b', b: 'ac', c: 'b' }, 'a')).toEqual(['cba']);
  });

  it('takes a node that needs itself', () => {
    expect(componentsOf({ a: 'a' }, 'a')).toEqual(['a']);
  });
});
