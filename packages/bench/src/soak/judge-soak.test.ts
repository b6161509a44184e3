import { describe, expect, it } from 'vitest';
import { formatSoak } from './format-soak.js';
import { judgeSoak, type PlatformRecords } from './judge-soak.js';
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
    unexpected: [],
    ...changes,
  };
}

function truth(changes: Partial<PlatformRecords> = {}): PlatformRecords {
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

const breaches = (bot: Partial<SoakRecords>, platform: Partial<PlatformRecords> = {}) =>
  judgeSoak(records(bot), truth(platform)).breaches;

describe('judgeSoak', () => {
  it('accepts a bot that meets all requirements', () => {
    const figures = judgeSoak(records(), truth());
    expect(figures.breaches).toEqual([]);
    expect(figures).toMatchObject({ calls: 3, events: 2, commands: 1, lost: 0, doubled: 0 });
    expect(formatSoak(figures).at(-1)).toBe('All requirements are met.');
  });

  it('finds a message that was sent twice', () => {
    expect(breaches({}, { effects: [1, 0, 2] })).toEqual(['duplicated effects or events: 1']);
  });

  it('finds a call that was reported as not done, but was', () => {
    const outcomes = [outcome('not-done'), outcome('done'), outcome('done')];
    expect(breaches({ outcomes })).toEqual(['duplicated effects or events: 1']);
  });

  it('finds a call that was reported as done, but was not', () => {
    expect(breaches({}, { effects: [1, 0, 0] })).toEqual([
      'effects or events lost without a report: 1',
    ]);
  });

  it('accepts an outcome that was reported as unknown', () => {
    const outcomes = [outcome('unknown'), outcome('done'), outcome('unknown')];
    const figures = judgeSoak(records({ outcomes }), truth({ effects: [0, 0, 1] }));
    expect(figures).toMatchObject({ unknown: 2, breaches: [] });
  });

  it('finds a call that did not complete, and one that took too long', () => {
    const outcomes = [outcome('done'), outcome('open'), outcome('done')];
    expect(breaches({ outcomes })).toEqual(['calls not completed: 1']);
    expect(breaches({ tookMs: [2, 3, 32_000] })).toEqual([
      'a call took 32000 ms, longer than its deadline',
      'p99 latency without faults is 32000 ms',
    ]);
  });

  it('finds events and commands that were lost or duplicated', () => {
    expect(breaches({ events: [1, 0] })).toEqual(['effects or events lost without a report: 1']);
    expect(breaches({ commands: [0] })).toEqual(['effects or events lost without a report: 1']);
    expect(breaches({ commands: [2] })).toEqual(['duplicated effects or events: 1']);
  });

  it('accepts events that were missed in a reported gap', () => {
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

  it('does not judge a heap during the warm-up', () => {
    const samples = heap((hours) => 20 + 90 * hours).slice(0, 4);
    const figures = judgeSoak(records(), truth({ samples }));
    expect(figures.breaches).toEqual([]);
    expect(formatSoak(figures).join('\n')).toMatch(/90\.00 MiB\/h .*not judged/);
  });

  it('finds sockets that accumulate, and those that remain open', () => {
    const samples = heap(
      () => 20,
      (hours) => 8 + 10 * hours,
    );
    expect(breaches({}, { samples })).toEqual([
      expect.stringMatching(/^open handles increased from /),
    ]);
    const handles = { before: { tcp: 1 }, after: { tcp: 2 } };
    expect(breaches({}, { handles })).toEqual(['handles open after close: 1']);
  });

  it('does not mistake a moment with many concurrent calls for a leak', () => {
    const samples = heap(
      () => 20,
      (hours) => (Math.round(hours * 10) % 5 === 0 || hours < 1 ? 8 : 40),
    );
    expect(breaches({}, { samples })).toEqual([]);
  });

  it('measures latency only outside of faults', () => {
    const faults = [{ name: 'slow', fromMs: 19, toMs: 25 }];
    const figures = judgeSoak(records({ tookMs: [2, 3, 900] }), truth({ faults }));
    expect(figures).toMatchObject({ calmP99Ms: 3, slowestMs: 900, breaches: [] });
  });

  it('measures no latency while the machine was overloaded, and reports for how long', () => {
    const stalls = [{ name: 'busy', fromMs: 19, toMs: 1_019 }];
    const figures = judgeSoak(records({ tookMs: [2, 3, 900] }), truth({ stalls }));
    expect(figures).toMatchObject({ calmP99Ms: 3, stalledSeconds: 1, faults: 0, breaches: [] });
  });

  it('reports unexpected errors', () => {
    const figures = judgeSoak(records({ unexpected: ['unhandled: Error: x'] }), truth());
    expect(formatSoak(figures).slice(-2)).toEqual(['Not met:', '- unhandled: Error: x']);
  });
});
