import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createMemoryCooldowns } from './cooldown-store.js';

function open(max?: number) {
  const clock = createFakeClock();
  return { clock, store: createMemoryCooldowns({ clock, max }) };
}

describe('createMemoryCooldowns', () => {
  it('starts a cooldown, and tells how much of it is left', async () => {
    const { clock, store } = open();
    expect(store.start('a', 5_000)).toBe(0);
    await clock.advance(1_200);
    expect(store.start('a', 5_000)).toBe(3_800);
    await clock.advance(3_800);
    expect(store.start('a', 5_000)).toBe(0);
  });

  it('keeps one for each key, and is not prolonged by being asked', async () => {
    const { clock, store } = open();
    void store.start('a', 1_000);
    expect(store.start('b', 1_000)).toBe(0);
    await clock.advance(999);
    expect(store.start('a', 1_000)).toBe(1);
    await clock.advance(1);
    expect(store.start('a', 1_000)).toBe(0);
  });

  it('takes one back', () => {
    const { store } = open();
    void store.start('a', 5_000);
    void store.cancel('a');
    void store.cancel('unknown');
    expect(store.start('a', 5_000)).toBe(0);
  });

  it('forgets the oldest ones past its limit', () => {
    const { store } = open(3);
    for (const key of ['a', 'b', 'c', 'd']) void store.start(key, 60_000);
    expect(store.start('d', 60_000)).toBe(60_000);
    expect(store.start('a', 60_000)).toBe(0);
  });

  it('lets go of those that are over while new ones come', async () => {
    const { clock, store } = open(100);
    for (let n = 0; n < 90; n += 1) void store.start(`old ${n}`, 10);
    await clock.advance(10);
    void store.start('long', 60_000);
    for (let n = 0; n < 95; n += 1) void store.start(`new ${n}`, 60_000);
    // Had the old ones stayed, the limit would have pushed this one out.
    expect(store.start('long', 60_000)).toBe(60_000);
  });
});
