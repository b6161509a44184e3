import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createMemoryCooldowns } from './cooldown-store.js';

function open(max?: number) {
  const clock = createFakeClock();
  return { clock, store: createMemoryCooldowns(clock, max) };
}

describe('createMemoryCooldowns', () => {
  it.each([
    ['set ahead ends', 3_600_000, 0],
    ['set back ends in its time', -3_600_000, 60_000],
  ])('that began before the clock was %s', async (_, byMs, leftMs) => {
    const { clock, store } = open();
    await store.count('a', 1, { everyMs: 60_000, limit: 1 });
    clock.shiftWallClock(byMs);
    expect(await store.count('a', 1, { everyMs: 60_000, limit: 1 })).toBe(leftMs);
    await clock.advance(60_000);
    expect(await store.count('a', 1, { everyMs: 60_000, limit: 1 })).toBe(0);
  });

  it('starts a cooldown, and returns how much of it is left', async () => {
    const { clock, store } = open();
    expect(store.count('a', 1, { everyMs: 5_000, limit: 1 })).toBe(0);
    await clock.advance(1_200);
    expect(store.count('a', 1, { everyMs: 5_000, limit: 1 })).toBe(3_800);
    await clock.advance(3_800);
    expect(store.count('a', 1, { everyMs: 5_000, limit: 1 })).toBe(0);
  });

  it('keeps one for each key, and is not prolonged by being asked', async () => {
    const { clock, store } = open();
    void store.count('a', 1, { everyMs: 1_000, limit: 1 });
    expect(store.count('b', 1, { everyMs: 1_000, limit: 1 })).toBe(0);
    await clock.advance(999);
    expect(store.count('a', 1, { everyMs: 1_000, limit: 1 })).toBe(1);
    await clock.advance(1);
    expect(store.count('a', 1, { everyMs: 1_000, limit: 1 })).toBe(0);
  });

  it('takes one back', () => {
    const { store } = open();
    void store.count('a', 1, { everyMs: 5_000, limit: 1 });
    void store.count('a', -1, { everyMs: 5_000, limit: 1 });
    void store.count('unknown', -1, { everyMs: 5_000, limit: 1 });
    expect(store.count('a', 1, { everyMs: 5_000, limit: 1 })).toBe(0);
  });

  it('counts several runs in a window, and takes single ones back', async () => {
    const { clock, store } = open();
    const start = (): unknown => store.count('a', 1, { everyMs: 5_000, limit: 2 });
    expect([start(), start()]).toEqual([0, 0]);
    await clock.advance(2_000);
    expect(start()).toBe(3_000);
    void store.count('a', -1, { everyMs: 5_000, limit: 1 });
    expect([start(), start()]).toEqual([0, 3_000]);
    await clock.advance(3_000);
    expect(start()).toBe(0);
  });

  it('keeps as many as its limit, and forgets older ones', () => {
    const { store } = open(3);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      void store.count(key, 1, { everyMs: 60_000, limit: 1 });
    for (const key of ['e', 'f', 'g'])
      expect(store.count(key, 1, { everyMs: 60_000, limit: 1 })).toBe(60_000);
    expect(store.count('a', 1, { everyMs: 60_000, limit: 1 })).toBe(0);
  });

  it('keeps each as long as it lasts, whatever the others do', async () => {
    const { clock, store } = open();
    const durations = [10, 50, 1_000, 60_000];
    for (const [index, everyMs] of durations.entries()) {
      for (let n = 0; n < 20; n += 1) {
        const key = `${index} ${n}`;
        expect(store.count(key, 1, { everyMs: everyMs, limit: 1 })).toBe(0);
        await clock.advance(everyMs - 1);
        expect(store.count(key, 1, { everyMs: everyMs, limit: 1 })).toBe(1);
        await clock.advance(1);
        expect(store.count(key, 1, { everyMs: everyMs, limit: 1 })).toBe(0);
      }
    }
  });
});
