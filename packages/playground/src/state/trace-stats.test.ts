import { describe, expect, it } from 'vitest';
import { traceRow } from '../../test/trace-rows.js';
import { groupRows } from './trace-groups.js';
import { commandRuns } from './trace-stats.js';

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

describe('commandRuns', () => {
  it('returns the runs of each command, and the times until they were answered', () => {
    const rows = [
      ...ran('/roll 20', 9),
      ...ran('/hello', 3),
      ...ran('/roll 6', 7),
      traceRow({ what: '/roll answered', kind: 'log', timings: { ms: 9 } }),
    ];
    expect(Object.fromEntries(commandRuns(groupRows(rows)))).toMatchObject({
      'demo-bot/roll': [
        { startMs: 100, tookMs: 9, hasFailed: false },
        { tookMs: 7, hasFailed: false },
      ],
      'demo-bot/hello': [{ tookMs: 3, hasFailed: false }],
    });
  });

  it('has one run for all its errors, without a time if there is no answer', () => {
    const failed = ran('/roll', null);
    const { group = null } = failed[0] ?? {};
    const rows = [
      ...failed,
      traceRow({ group, kind: 'log', isError: true, what: '/roll failed' }),
      traceRow({ group, kind: 'notice', isError: true, what: 'expired without an answer' }),
    ];
    const run = { id: group, line: '/roll', startMs: 100, tookMs: null, hasFailed: true };
    expect(commandRuns(groupRows(rows)).get('demo-bot/roll')).toEqual([run]);
  });

  it('has other runs for a command of another bot with the same name', () => {
    const rows = [...ran('/play', 5), ...ran('/play@music x', 7, 'music')];
    expect([...commandRuns(groupRows(rows))].map(([key, [run]]) => [key, run?.tookMs])).toEqual([
      ['demo-bot/play', 5],
      ['music/play', 7],
    ]);
  });
});
