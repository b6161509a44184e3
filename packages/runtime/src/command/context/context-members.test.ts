import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contextsOf } from './context-members.js';

/** A context of two members, and the members that were created for it. */
function open() {
  const { signal } = new AbortController();
  const created: string[] = [];
  const createContext = contextsOf<{ readonly name: string }, Record<'name' | 'signal', unknown>>({
    name: ({ name }) => {
      created.push('name');
      return name;
    },
    signal: () => {
      created.push('signal');
      return signal;
    },
  });
  return { context: createContext({ name: 'x' }), signal, created };
}

describe('a context', () => {
  it('creates a member when it is read', () => {
    const { context, created } = open();
    const { name } = context;
    expect([name, created]).toEqual(['x', ['name']]);
  });

  it('has its members in a copy, in the rest of it and in an object that inherits from it', () => {
    const { context, signal } = open();
    const { name, ...rest } = context;
    expect([name, rest]).toEqual(['x', { signal }]);
    expect({ ...context }).toEqual({ name: 'x', signal });
    expect(Object.create(context).signal).toBe(signal);
  });

  it('lists and shows its members, and no others', () => {
    const { context, signal } = open();
    expect(Object.keys(context)).toEqual(['name', 'signal']);
    expect(['name' in context, 'other' in context]).toEqual([true, false]);
    expect(inspect(context)).toBe(inspect({ name: 'x', signal }));
    expect([Reflect.get(context, 'other'), Reflect.get(context, 'then')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('keeps what is assigned to it', () => {
    const { context } = open();
    Object.assign(context, { name: 'y', user: 1 });
    expect([context.name, Object.keys(context)]).toEqual(['y', ['name', 'signal', 'user']]);
    expect({ ...context }).toMatchObject({ name: 'y', user: 1 });
    Object.assign(context, { name: null, signal: undefined });
    expect([context.name, context.signal]).toEqual([null, undefined]);
  });

  it('returns the same member each time', () => {
    const { context, created } = open();
    expect([context.name, context.name, created]).toEqual(['x', 'x', ['name']]);
  });

  it('is not changed by an object that inherits from it', () => {
    const { context } = open();
    const derived: { name?: unknown } = Object.create(context);
    derived.name = 'mine';
    expect([derived.name, Object.hasOwn(derived, 'name'), context.name]).toEqual([
      'mine',
      true,
      'x',
    ]);
  });

  it('can have more properties, and be frozen', () => {
    const { context, signal } = open();
    Object.assign(context, { user: 1 });
    expect({ ...context }).toEqual({ name: 'x', signal, user: 1 });
    Object.freeze(context);
    expect([Object.isFrozen(context), context.signal]).toEqual([true, signal]);
    expect(Reflect.set(context, 'name', 'y')).toBe(false);
    expect(Reflect.set(context, 'more', 'y')).toBe(false);
  });
});
