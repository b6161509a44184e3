import { describe, expect, it } from 'vitest';
import { addSignal } from './context-members.js';

/** A context whose signal is made when it is asked for, and how often it was. */
function open() {
  const { signal } = new AbortController();
  let asked = 0;
  const source = {
    get signal() {
      asked += 1;
      return signal;
    },
  };
  return { context: addSignal({ name: 'x' }, source), signal, asked: () => asked };
}

describe('the signal of a context', () => {
  it('is not created until it is read', () => {
    const { context, signal, asked } = open();
    const { name } = context;
    expect([name, asked()]).toEqual(['x', 0]);
    expect(context.signal).toBe(signal);
    expect(asked()).toBe(1);
  });

  it('can be taken out, and goes with what is left when others are', () => {
    const { context, signal } = open();
    const { name, ...rest } = context;
    expect([name, rest.signal, Object.keys(rest)]).toEqual(['x', signal, ['signal']]);
    expect({ ...context }.signal).toBe(signal);
    expect(Object.create(context).signal).toBe(signal);
  });

  it('shows as any other member', () => {
    const { context } = open();
    expect(Object.keys(context)).toEqual(['name', 'signal']);
    expect('signal' in context).toBe(true);
  });
});
