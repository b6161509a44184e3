import type { SoakFigures } from './judge-soak.js';

/** Returns the figures of a soak test as lines of text. */
export function formatSoak(figures: SoakFigures): string[] {
  const { heapMiB, handles } = figures;
  const failures = Object.entries(figures.failures)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
  const rows = [
    ['calls', `${figures.calls}, ${figures.unsettled} not completed`],
    ['events', `${figures.events} messages, ${figures.commands} commands`],
    ['faults', String(figures.faults)],
    ['failed calls', failures || 'none'],
    ['outcome unknown', `${figures.unknown} (reported as such)`],
    ['lost', String(figures.lost)],
    ['duplicates', String(figures.doubled)],
    [
      'gaps',
      `${figures.gaps}: ${figures.recovered} messages recovered, ${figures.inGaps} events reported as missed`,
    ],
    [
      'heap slope',
      `${figures.heapSlopeMiBPerHour.toFixed(2)} MiB/h (${heapMiB.first.toFixed(1)} to ${heapMiB.last.toFixed(1)} MiB)${figures.heapIsJudged ? '' : ', not judged: less than 20 minutes'}`,
    ],
    ['handles', `${handles.early} early, ${handles.late} late, ${handles.leaked} open after close`],
    [
      'latency without faults',
      `p50 ${figures.calmP50Ms.toFixed(1)} ms, p99 ${figures.calmP99Ms.toFixed(1)} ms`,
    ],
    ['machine overloaded', `for ${figures.stalledSeconds.toFixed(1)} s, excluded from the latency`],
    ['slowest call', `${Math.round(figures.slowestMs)} ms`],
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(24)}${value}`);
  const verdict =
    figures.breaches.length === 0
      ? ['', 'All requirements are met.']
      : ['', 'Not met:', ...figures.breaches.map((breach) => `- ${breach}`)];
  return [...lines, ...verdict];
}
