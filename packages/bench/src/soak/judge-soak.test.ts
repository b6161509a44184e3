import { describe, expect, it } from 'vitest';
import { formatSoak } from './format-soak.js';
import { judgeSoak, type SoakTruth } from './judge-soak.js';
import { OUTCOMES, type Outcome, type SoakRecords } from './soak-records.js';

const outcome = (name: Outcome): number => OUTCOMES.indexOf(name);

function records(changes: Partial<SoakRecords> = {}): SoakRecords {
  return {
    outcomes: [outcome('done'), outcome('done'), outcome('done')],
    startedAtMs: [0, 10, 20],
    tookMs: [2, 3, 4],
    events: [1, 1, 0, 0],
    commands: [1, 0],
    recovered: 0,
    gaps: [],
    failures: {},
    strays: [],
    ...changes,
  };
}

function truth(changes: Partial<SoakTruth> = {}): SoakTruth {
  return {
    effects: [1, 0, 1],
    eventsAtMs: [1_000, 2_000],
    commandsAtMs: [1_500],
    faults: [],
    stalls: [],
    samples: heap(() => 20),
    handles: { before: { tcp: 1 }, after: { tcp: 1 } },
    ...changes,
  };
}

/** A sample every six minutes for two hours. */
function heap(at: (hours: number) => number, sockets: (hours: number) => number = () => 8) {
  return Array.from({ length: 20 }, (_value, index) => ({
    hours: index / 10,
    sample: { heapMiB: at(index / 10), handles: { tcp: sockets(index / 10) } },
  }));
}

const breaches = (bot: Partial<SoakRecords>, platform: Partial<SoakTruth> = {}) =>
  judgeSoak(records(bot), truth(platform)).breaches;

describe('judgeSoak', () => {
  it('has nothing to say about a bot that kept every promise', () => {
    const figures = judgeSoak(records(), truth());
    expect(figures.breaches).toEqual([]);
    expect(figures).toMatchObject({ calls: 3, events: 2, commands: 1, lost: 0, doubled: 0 });
    expect(formatSoak(figures).at(-1)).toBe('Every promise was kept.');
  });

  it('finds a message that was sent twice', () => {
    expect(breaches({}, { effects: [1, 0, 2] })).toEqual(['1 effects or events came twice']);
  });

  it('finds a call that was told as not done, and was', () => {
    const outcomes = [outcome('not done'), outcome('done'), outcome('done')];
    expect(breaches({ outcomes })).toEqual(['1 effects or events came twice']);
  });

  it('finds a call that was told as done, and was not', () => {
    expect(breaches({}, { effects: [1, 0, 0] })).toEqual([
      '1 effects or events were lost without a word',
    ]);
  });

  it('takes an outcome that was told as unknown for what it is', () => {
    const outcomes = [outcome('unknown'), outcome('done'), outcome('unknown')];
    const figures = judgeSoak(records({ outcomes }), truth({ effects: [0, 0, 1] }));
    expect(figures).toMatchObject({ unknown: 2, breaches: [] });
  });

  it('finds a call that never ended, and one that took too long', () => {
    const outcomes = [outcome('done'), outcome('open'), outcome('done')];
    expect(breaches({ outcomes })).toEqual(['1 calls never ended']);
    expect(breaches({ tookMs: [2, 3, 32_000] })).toEqual([
      'a call took 32000 ms, over its deadline',
      'p99 without a fault is 32000 ms',
    ]);
  });

  it('finds events and commands that were missed or came twice', () => {
    expect(breaches({ events: [1, 0] })).toEqual(['1 effects or events were lost without a word']);
    expect(breaches({ commands: [0] })).toEqual(['1 effects or events were lost without a word']);
    expect(breaches({ commands: [2] })).toEqual(['1 effects or events came twice']);
  });

  it('excuses what was missed in a gap that was told', () => {
    const gaps = [{ fromMs: 1_900, toMs: 2_600, reason: 'reset' }];
    const figures = judgeSoak(records({ events: [1, 0], gaps }), truth());
    expect(figures).toMatchObject({ lost: 0, inGaps: 1, breaches: [] });
    expect(breaches({ events: [0, 1], gaps })).toHaveLength(1);
  });

  it('finds a heap that grows, and not one that jumps once', () => {
    expect(breaches({}, { samples: heap((hours) => 20 + 3 * hours) })).toEqual([
      'the heap grows by 3.0 MiB/h',
    ]);
    expect(breaches({}, { samples: heap((hours) => (hours < 0.4 ? 20 : 25)) })).toEqual([]);
  });

  it('does not judge a heap that had no time to get warm', () => {
    const samples = heap((hours) => 20 + 90 * hours).slice(0, 4);
    const figures = judgeSoak(records(), truth({ samples }));
    expect(figures.breaches).toEqual([]);
    expect(formatSoak(figures).join('\n')).toMatch(/90\.00 MiB\/h .*not judged/);
  });

  it('finds sockets that pile up, and those that stay behind', () => {
    const samples = heap(
      () => 20,
      (hours) => 8 + 10 * hours,
    );
    expect(breaches({}, { samples })).toEqual([expect.stringMatching(/^handles grew from /)]);
    const handles = { before: { tcp: 1 }, after: { tcp: 2 } };
    expect(breaches({}, { handles })).toEqual(['1 handles were left after closing']);
  });

  it('does not take a moment with many calls at once for sockets that pile up', () => {
    const samples = heap(
      () => 20,
      (hours) => (Math.round(hours * 10) % 5 === 0 || hours < 1 ? 8 : 40),
    );
    expect(breaches({}, { samples })).toEqual([]);
  });

  it('measures latency away from faults only', () => {
    const faults = [{ name: 'slow', fromMs: 19, toMs: 25 }];
    const figures = judgeSoak(records({ tookMs: [2, 3, 900] }), truth({ faults }));
    expect(figures).toMatchObject({ calmP99Ms: 3, slowestMs: 900, breaches: [] });
  });

  it('measures no latency while the machine itself had no time, and tells how long that was', () => {
    const stalls = [{ name: 'busy', fromMs: 19, toMs: 1_019 }];
    const figures = judgeSoak(records({ tookMs: [2, 3, 900] }), truth({ stalls }));
    expect(figures).toMatchObject({ calmP99Ms: 3, stalledSeconds: 1, faults: 0, breaches: [] });
  });

  it('passes on what should not have happened at all', () => {
    const figures = judgeSoak(records({ strays: ['unhandled: Error: x'] }), truth());
    expect(formatSoak(figures).slice(-2)).toEqual(['Broken:', '- unhandled: Error: x']);
  });
});
