import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/test-bot.js';
import { createMemoryConcurrency, type ConcurrencyPlace } from './concurrency-store.js';

function open(maxWaiting?: number) {
  const store = createMemoryConcurrency({ maxWaiting });
  const abort = new AbortController();
  const enter = (key: string, max = 1, wait = false) =>
    store.enter(key, { max, wait, signal: abort.signal });
  return { enter, abort };
}

const placeOf = (entered: ReturnType<ReturnType<typeof open>['enter']>): ConcurrencyPlace =>
  entered !== null && 'leave' in entered ? entered : expect.fail('no place');

describe('createMemoryConcurrency', () => {
  it('grants the given number of slots for a key, and releases each once', () => {
    const { enter } = open();
    const first = placeOf(enter('a', 2));
    placeOf(enter('a', 2));
    expect(enter('a', 2)).toBeNull();
    placeOf(enter('b', 2));
    first.leave();
    first.leave();
    placeOf(enter('a', 2));
    expect(enter('a', 2)).toBeNull();
  });

  it('admits waiting runs in the order they came, and no others before them', async () => {
    const { enter } = open();
    const order: string[] = [];
    const first = placeOf(enter('a'));
    const waiting = ['second', 'third'].map((name) =>
      Promise.resolve(enter('a', 1, true)).then((place) => {
        order.push(name);
        return place;
      }),
    );
    first.leave();
    expect(enter('a')).toBeNull();
    const second = await waiting[0];
    expect(order).toEqual(['second']);
    second?.leave();
    await waiting[1];
    expect(order).toEqual(['second', 'third']);
  });

  it('lets only so many wait', () => {
    const { enter } = open(2);
    placeOf(enter('a'));
    expect([1, 2, 3].map(() => enter('a', 1, true) === null)).toEqual([false, false, true]);
  });

  it('takes out who is aborted while it waits, and leaves no listener', async () => {
    const { enter, abort } = open();
    const first = placeOf(enter('a'));
    const waiting = enter('a', 1, true);
    abort.abort('stopped');
    await expect(waiting).rejects.toBe('stopped');
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    first.leave();
    placeOf(enter('a'));
  });

  it('does not let in who is aborted already', async () => {
    const { enter, abort } = open();
    placeOf(enter('a'));
    abort.abort('stopped');
    await expect(enter('a', 1, true)).rejects.toBe('stopped');
  });

  it('keeps nothing of a key that is no longer used', async () => {
    const { enter } = open();
    for (let n = 0; n < 3; n += 1) {
      const place = placeOf(enter('a'));
      const next = Promise.resolve(enter('a', 1, true));
      place.leave();
      (await next)?.leave();
      await settle();
    }
    placeOf(enter('a'));
    expect(enter('a')).toBeNull();
  });
});
