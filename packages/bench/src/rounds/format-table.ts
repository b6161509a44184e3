import type { Comparison } from './compare.js';

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const HEADINGS = [
  'bot',
  'per second',
  'CPU us each',
  'p50 ms',
  'p99 ms',
  'peak MiB',
  'rate vs floor',
  'CPU vs floor',
  'target',
];

/** The results of one scenario as lines of text. */
export function formatTable(name: string, comparisons: readonly Comparison[]): string[] {
  const rows = [HEADINGS, ...comparisons.map(cells)];
  const widths = HEADINGS.map((_heading, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  return ['', name, ...lines, ...warnings(comparisons)];
}

/** Names and verdicts stand left, figures right. */
const pad = (cell: string, width: number, column: number): string =>
  column === 0 || column === HEADINGS.length - 1 ? cell.padEnd(width) : cell.padStart(width);

function cells(row: Comparison): string[] {
  return [
    row.bot,
    number(row.perSecond),
    number(row.cpuMicros, 2),
    row.p50Ms === undefined ? '' : number(row.p50Ms, 2),
    row.p99Ms === undefined ? '' : number(row.p99Ms, 2),
    number(row.peakMiB),
    number(row.rateRatio, 2),
    number(row.cpuRatio, 2),
    verdict(row),
  ];
}

function verdict({ bot, missed, informative }: Comparison): string {
  if (missed.length > 0) return `${missed.join(', ')}${informative ? ' (for information)' : ''}`;
  if (bot === 'floor') return '';
  return informative ? 'reached (for information)' : 'reached';
}

/** Above this the platform is not much faster than the bot, and the rate is partly its own. */
const BUSY = 0.9;

function warnings(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ platformLoad }) => platformLoad > BUSY)
    .map(
      ({ bot, platformLoad }) =>
        `The platform used ${number(platformLoad * 100)} % of a core with ${bot}: the rate may be its limit, the CPU figures hold.`,
    );
}
