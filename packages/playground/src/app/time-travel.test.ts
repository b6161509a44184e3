import { signal } from '@preact/signals';
import type { SimSnapshot } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { snapshot } from '../../test/sample-world.js';
import { createTimeTravel, type Past } from './time-travel.js';

/** The moments 5 to 20; every read waits until the test releases it. */
function travel() {
  const past = signal<Past | null>(null);
  const shown: (number | undefined)[] = [];
  const reads: { moment: number; release: () => void }[] = [];
  const api = {
    range: async () => ({ first: 5, last: 20 }),
    // Each result has the type of its action.
    read: async (name: string, input?: { readonly moment?: unknown }) =>
      (name === 'state'
        ? { past: await api.range() }
        : await new Promise<SimSnapshot>((resolve) => {
            const moment = Number(input?.moment);
            reads.push({ moment, release: () => resolve(snapshot()) });
          })) as never,
  };
  const { go, end } = createTimeTravel({ past }, api, () => shown.push(past.peek()?.moment));
  /** Releases a read, as soon as there is one. */
  const release = async () => {
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    reads.shift()?.release();
  };
  return { past, shown, reads, api, go, end, release };
}

describe('createTimeTravel', () => {
  it('begins with the newest moment', async () => {
    const { past, shown, go, release } = travel();
    const going = go(null);
    await release();
    await going;
    expect(past.peek()).toEqual({ first: 5, last: 20, moment: 20 });
    expect(shown).toEqual([20]);
  });

  it('shows the last moment that was wanted, and none that is read after a later one', async () => {
    const { past, shown, reads, go } = travel();
    const going = [10, 11, 12, 13].map((moment) => go(moment));
    await expect.poll(() => reads.length).toBe(4);
    const release = async (at: number) => {
      reads[at]?.release();
      await going[at];
    };
    await release(1);
    expect(shown).toEqual([11]);
    await release(0);
    await release(3);
    await release(2);
    expect(shown).toEqual([11, 13]);
    expect(past.peek()?.moment).toBe(13);
  });

  it('shows nothing when the present is shown by then', async () => {
    const { past, shown, go, end, release } = travel();
    const going = go(10);
    await expect.poll(() => shown).toEqual([]);
    end();
    await release();
    await going;
    expect([past.peek(), shown]).toEqual([null, []]);
  });

  it('stays where it is when a moment cannot be read', async () => {
    const { past, shown, api, go, release } = travel();
    api.range = () => Promise.reject(new Error('gone'));
    await expect(go(10)).rejects.toThrow('gone');
    expect(past.peek()).toBeNull();
    api.range = async () => ({ first: 5, last: 20 });
    const going = go(10);
    await release();
    await going;
    expect(shown).toEqual([10]);
  });
});
