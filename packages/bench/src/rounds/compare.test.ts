import { describe, expect, it } from 'vitest';
import { compare } from './compare.js';
import type { Contender, Sample, Scenario } from './scenario.js';

const sample = (perSecond: number, changes: Partial<Sample> = {}): Sample => ({
  values: { perSecond, cpuMicros: 1e6 / perSecond },
  ...changes,
});

const run = () => Promise.reject(new Error('not run here'));
const floor: Contender = { name: 'by hand', run };
const ours: Contender = { name: 'ours', run, targets: { perSecond: 0.9, cpuMicros: 1.2 } };

const scenario: Scenario = {
  about: '',
  metrics: ['perSecond', 'cpuMicros'],
  ratios: ['perSecond', 'cpuMicros'],
  contenders: [floor, ours],
};

const oursIn = (rounds: Sample[][]) => compare(scenario, rounds)[1];

describe('compare', () => {
  it('takes each ratio inside a slice, and shows the median with the quartiles', () => {
    // The machine was half as fast in the second slice: both were.
    const slices = [
      [sample(1_000), sample(950)],
      [sample(500), sample(480)],
      [sample(1_000), sample(900)],
      [sample(1_000), sample(10)],
    ];
    expect(oursIn(slices)?.ratios.perSecond).toEqual({ median: 0.925, low: 0.01, high: 0.95 });
  });

  it('shows medians over the rounds', () => {
    const rounds = [
      [sample(1_000), sample(950)],
      [sample(500), sample(480)],
      [sample(1_000), sample(900)],
    ];
    expect(oursIn(rounds)?.values.perSecond).toBe(900);
  });

  it('compares every contender with the first', () => {
    const [first, second] = compare(scenario, [[sample(1_000), sample(500)]]);
    expect(first?.ratios.perSecond?.median).toBe(1);
    expect(second?.ratios.perSecond?.median).toBe(0.5);
    expect(second?.ratios.cpuMicros?.median).toBe(2);
  });

  it.each([
    [950, ['per second >= 0.90', 'CPU us each <= 1.20'], []],
    [870, ['CPU us each <= 1.20'], ['per second >= 0.90']],
    [500, [], ['per second >= 0.90', 'CPU us each <= 1.20']],
  ])('at %i of 1,000 says what is reached and what is missed', (perSecond, reached, missed) => {
    expect(oursIn([[sample(1_000), sample(perSecond)]])).toMatchObject({ reached, missed });
  });

  it('treats a target without a figure as missed', () => {
    const rounds = [[sample(1_000), { values: { perSecond: 1_000 } }]];
    expect(oursIn(rounds)?.missed).toEqual(['CPU us each <= 1.20']);
  });

  it('fails if answers were wrong', () => {
    const rounds = [
      [sample(1_000), sample(999, { wrong: 2 })],
      [sample(1_000), sample(999, { wrong: 1 })],
    ];
    expect(oursIn(rounds)).toMatchObject({ wrong: 3, missed: ['3 wrong or duplicate answers'] });
  });

  it('lists aims that are not reached, which are no condition', () => {
    const aimed = { ...ours, aims: { perSecond: 0.96, cpuMicros: 1.1 } };
    const rounds = [[sample(1_000), sample(950)]];
    const [, row] = compare({ ...scenario, contenders: [floor, aimed] }, rounds);
    expect(row).toMatchObject({ missed: [], ahead: ['per second >= 0.96'] });
  });

  it('shows differences, and judges them', () => {
    const p50 = (p50Ms: number): Sample => ({ values: { p50Ms } });
    const slower = { name: 'slower', run, addedTargets: { p50Ms: 1 } };
    const added: Scenario = { ...scenario, added: ['p50Ms'], contenders: [floor, slower] };
    const judged = (...rounds: Sample[][]) => compare(added, rounds)[1];
    expect(judged([p50(1), p50(1.5)], [p50(2), p50(2.75)], [p50(1), p50(5)])).toMatchObject({
      added: { p50Ms: { median: 0.75, low: 0.5, high: 4 } },
      reached: ['p50 ms added <= 1.00'],
      missed: [],
    });
    expect(judged([p50(1), p50(2.5)])?.missed).toEqual(['p50 ms added <= 1.00']);
  });

  it('reports the load of the other side, if it was measured', () => {
    const [first, second] = compare(scenario, [
      [sample(1_000), sample(900, { otherLoad: 0.4 })],
      [sample(1_000), sample(900, { otherLoad: 0.6 })],
    ]);
    expect(first?.otherLoad).toBeUndefined();
    expect(second?.otherLoad).toBe(0.5);
  });
});
