import type { SoakFigures } from './judge-soak.js';

/** The figures of a soak as lines of text. */
export function formatSoak(figures: SoakFigures): string[] {
  const { heapMiB, handles } = figures;
  const failures = Object.entries(figures.failures)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
  const rows = [
    ['calls', `${figures.calls}, ${figures.unsettled} never ended`],
    ['events', `${figures.events} messages, ${figures.commands} commands`],
    ['faults', String(figures.faults)],
    ['calls that failed', failures || 'none'],
    ['outcome unknown', `${figures.unknown} (told as such)`],
    ['lost', String(figures.lost)],
    ['doubled', String(figures.doubled)],
    [
      'gaps',
      `${figures.gaps}: ${figures.recovered} messages read back, ${figures.inGaps} events missed and told`,
    ],
    [
      'heap slope',
      `${figures.heapSlopeMiBPerHour.toFixed(2)} MiB/h (${heapMiB.first.toFixed(1)} to ${heapMiB.last.toFixed(1)} MiB)${figures.heapIsJudged ? '' : ', not judged: under 20 minutes'}`,
    ],
    [
      'handles',
      `${handles.early} early, ${handles.late} late, ${handles.leftOver} left after closing`,
    ],
    [
      'latency, no fault near',
      `p50 ${figures.calmP50Ms.toFixed(1)} ms, p99 ${figures.calmP99Ms.toFixed(1)} ms`,
    ],
    ['machine too busy', `for ${figures.stalledSeconds.toFixed(1)} s, left out of the latency`],
    ['slowest call', `${Math.round(figures.slowestMs)} ms`],
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(24)}${value}`);
  const verdict =
    figures.breaches.length === 0
      ? ['', 'Every promise was kept.']
      : ['', 'Broken:', ...figures.breaches.map((breach) => `- ${breach}`)];
  return [...lines, ...verdict];
}
