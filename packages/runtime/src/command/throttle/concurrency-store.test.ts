import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/test-bot.js';
import { createMemoryConcurrency, type ConcurrencySlot } from './concurrency-store.js';

function open() {
  const store = createMemoryConcurrency();
  const abort = new AbortController();
  const acquire = (key: string, max = 1, wait = false) =>
    store.acquire(key, { max, wait, signal: abort.signal });
  return { acquire, abort };
}

const slotOf = (entered: ReturnType<ReturnType<typeof open>['acquire']>): ConcurrencySlot =>
  entered !== null && 'release' in entered ? entered : expect.fail('no slot');

describe('createMemoryConcurrency', () => {
  it('grants the given number of slots for a key, and releases each once', () => {
    const { acquire } = open();
    const first = slotOf(acquire('a', 2));
    slotOf(acquire('a', 2));
    expect(acquire('a', 2)).toBeNull();
    slotOf(acquire('b', 2));
    first.release();
    first.release();
    slotOf(acquire('a', 2));
    expect(acquire('a', 2)).toBeNull();
  });

  it('admits waiting runs in the order they came, and no others before them', async () => {
    const { acquire } = open();
    const order: string[] = [];
    const first = slotOf(acquire('a'));
    const waiting = ['second', 'third'].map((name) =>
      Promise.resolve(acquire('a', 1, true)).then((slot) => {
        order.push(name);
        return slot;
      }),
    );
    first.release();
    expect(acquire('a')).toBeNull();
    const second = await waiting[0];
    expect(order).toEqual(['second']);
    second?.release();
    await waiting[1];
    expect(order).toEqual(['second', 'third']);
  });

  it('lets only the given number wait', () => {
    const { acquire } = open();
    slotOf(acquire('a'));
    const entered = Array.from({ length: 1_001 }, () => acquire('a', 1, true));
    expect(entered.indexOf(null)).toBe(1_000);
  });

  it('removes a run that is aborted while it waits, and leaves no listener', async () => {
    const { acquire, abort } = open();
    const first = slotOf(acquire('a'));
    const waiting = acquire('a', 1, true);
    abort.abort('stopped');
    await expect(waiting).rejects.toBe('stopped');
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    first.release();
    slotOf(acquire('a'));
  });

  it('does not admit an aborted run', async () => {
    const { acquire, abort } = open();
    slotOf(acquire('a'));
    abort.abort('stopped');
    await expect(acquire('a', 1, true)).rejects.toBe('stopped');
  });

  it('keeps nothing of a key that is no longer used', async () => {
    const { acquire } = open();
    for (let n = 0; n < 3; n += 1) {
      const slot = slotOf(acquire('a'));
      const next = Promise.resolve(acquire('a', 1, true));
      slot.release();
      (await next)?.release();
      await settle();
    }
    slotOf(acquire('a'));
    expect(acquire('a')).toBeNull();
  });
});
