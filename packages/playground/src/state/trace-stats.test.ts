import { describe, expect, it } from 'vitest';
import { traceRow } from '../../test/trace-rows.js';
import { commandStats } from './trace-stats.js';

let lastRun = 0;

/**
 * Returns the rows of a run: its event, its defer, a refused answer, its answer if `tookMs` is not null, and a late
 * follow-up.
 */
function ran(line: string, tookMs: number | null, bot = 'demo-bot') {
  lastRun += 1;
  const of = { group: `run ${lastRun}`, bot };
  const what = `APPLICATION_COMMAND ${line}`;
  return [
    traceRow({ ...of, kind: 'frame', from: 'platform', what, atMs: 100 }),
    traceRow({ ...of, endpoint: 28, atMs: 100, tookMs: 1 }),
    traceRow({ ...of, endpoint: 31, atMs: 100, tookMs: 1, isError: true }),
    ...(tookMs === null ? [] : [traceRow({ ...of, endpoint: 31, atMs: 98 + tookMs, tookMs: 2 })]),
    traceRow({ ...of, endpoint: 29, atMs: 9000 }),
  ];
}

describe('commandStats', () => {
  it('returns the runs of each command, and the times until they were answered', () => {
    const rows = [
      ...Array.from({ length: 100 }, (_, n) => ran('/roll 20', 100 - n)).flat(),
      ...ran('/hello', 3),
      traceRow({ what: '/roll answered', kind: 'log', timings: { ms: 9 } }),
    ];
    expect(Object.fromEntries(commandStats(rows))).toEqual({
      'demo-bot/roll': { runs: 100, errors: 0, p50: 50, p99: 99 },
      'demo-bot/hello': { runs: 1, errors: 0, p50: 3, p99: 3 },
    });
  });

  it('counts a run once that fails, and has no times without an answer', () => {
    const failed = ran('/roll', null);
    const { group = null } = failed[0] ?? {};
    const rows = [
      ...failed,
      traceRow({ group, kind: 'log', isError: true, what: '/roll failed' }),
      traceRow({ group, kind: 'notice', isError: true, what: 'expired without an answer' }),
    ];
    expect(commandStats(rows).get('demo-bot/roll')).toEqual({
      runs: 1,
      errors: 1,
      p50: null,
      p99: null,
    });
  });

  it('has figures of its own for a command of another bot with the same name', () => {
    const rows = [...ran('/play', 5), ...ran('/play@music x', 7, 'music')];
    expect([...commandStats(rows)].map(([key, { p50 }]) => [key, p50])).toEqual([
      ['demo-bot/play', 5],
      ['music/play', 7],
    ]);
  });
});
