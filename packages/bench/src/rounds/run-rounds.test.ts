import { describe, expect, it } from 'vitest';
import { orderOf, runRounds } from './run-rounds.js';
import type { Contender } from './scenario.js';

const COUNTS = [1, 2, 3, 4, 6];

describe('orderOf', () => {
  it.each(COUNTS)('lets each of %i run once a round', (count) => {
    const all = Array.from({ length: count }, (_value, place) => place);
    for (let round = 0; round < 4 * count; round += 1) {
      expect(orderOf(round, count).toSorted((a, b) => a - b)).toEqual(all);
    }
  });

  it.each(COUNTS)('puts each of %i into every place equally often', (count) => {
    const seen = new Map<string, number>();
    for (let round = 0; round < 2 * count; round += 1) {
      for (const [place, contender] of orderOf(round, count).entries()) {
        const key = `${contender} at ${place}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
    expect(seen.size).toBe(count * count);
    expect(new Set(seen.values())).toEqual(new Set([2]));
  });

  it('turns around after each of them was first', () => {
    expect([0, 1, 2, 3].map((round) => orderOf(round, 2).join(''))).toEqual([
      '01',
      '10',
      '10',
      '01',
    ]);
  });
});

describe('runRounds', () => {
  it('runs the contenders alternately, and returns samples in their order', async () => {
    const ran: string[] = [];
    let running = 0;
    const contender = (name: string, perSecond: number): Contender => ({
      name,
      async run() {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        ran.push(name);
        running -= 1;
        return { values: { perSecond } };
      },
    });
    const reported: number[] = [];
    const contenders = [contender('a', 1), contender('b', 2)];
    const rounds = await runRounds({ contenders }, 2, (round) => reported.push(round));
    expect(ran).toEqual(['a', 'b', 'b', 'a']);
    const inOrder = [{ values: { perSecond: 1 } }, { values: { perSecond: 2 } }];
    expect(rounds).toEqual([inOrder, inOrder]);
    expect(reported).toEqual([1, 2]);
  });

  it('runs the slices of a round by turns, and closes each contender after them', async () => {
    const ran: string[] = [];
    const contender = (name: string): Contender => ({
      name,
      run: async () => ({ values: { perSecond: ran.push(name) } }),
      close: async () => void ran.push(`close ${name}`),
    });
    const slices = await runRounds(
      { contenders: [contender('a'), contender('b')], slices: 2 },
      2,
      () => {},
    );
    expect(ran.join()).toBe('a,b,b,a,close a,close b,b,a,a,b,close a,close b');
    expect(slices).toHaveLength(4);
  });

  it('ends with the error of a run that fails, and closes the others', async () => {
    let closed = 0;
    const contenders = [
      { name: 'a', run: () => Promise.reject(new Error('did not start')) },
      { name: 'b', run: async () => ({ values: {} }), close: async () => void (closed += 1) },
    ];
    await expect(runRounds({ contenders }, 1, () => {})).rejects.toThrow('did not start');
    expect(closed).toBe(1);
  });
});
