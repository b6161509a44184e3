import { expect, it } from 'vitest';
import { traceRow } from '../../test/trace-rows.js';
import { commandStats } from './trace-stats.js';

it('returns the runs, errors and times of each command', () => {
  const ran = (name: string, ms: number) =>
    traceRow({ kind: 'log', what: `/${name} answered`, timings: { ms } });
  const rows = [
    ...Array.from({ length: 100 }, (_, n) => ran('roll', 100 - n)),
    traceRow({ kind: 'log', what: '/roll failed: no dice', isError: true }),
    ran('hello', 3),
    traceRow({ kind: 'log', what: 'ready', timings: { ms: 9 } }),
    traceRow({ what: '/roll 20', timings: { ms: 9 } }),
  ];
  expect(Object.fromEntries(commandStats(rows))).toEqual({
    roll: { runs: 100, errors: 1, p50: 50, p99: 99 },
    hello: { runs: 1, errors: 0, p50: 3, p99: 3 },
  });
});
