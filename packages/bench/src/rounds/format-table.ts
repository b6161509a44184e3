import type { Comparison, Spread } from './compare.js';
import { METRICS } from './metrics.js';
import type { Scenario } from './scenario.js';

/** The results of a scenario, as shown in a table. */
export interface Result extends Pick<Scenario, 'about' | 'metrics' | 'ratios' | 'added'> {
  readonly title: string;
  readonly comparisons: readonly Comparison[];
}

interface Column {
  readonly heading: string;
  /** Alignment: left for names and verdicts, right for figures. */
  readonly side: 'left' | 'right';
  readonly cell: (row: Comparison, place: number) => string;
}

function columnsOf({ metrics, ratios, added = [] }: Result): Column[] {
  return [
    { heading: '', side: 'left', cell: ({ name }) => name },
    ...metrics.map((metric): Column => ({
      heading: METRICS[metric].heading,
      side: 'right',
      cell: ({ values }) => number(values[metric], METRICS[metric].digits),
    })),
    ...ratios.map((metric): Column => ({
      heading: `${METRICS[metric].heading} ratio`,
      side: 'right',
      cell: (row, place) => (place === 0 ? '' : spreadText(row.ratios[metric])),
    })),
    ...added.map((metric): Column => ({
      heading: `${METRICS[metric].heading} added`,
      side: 'right',
      cell: (row, place) => (place === 0 ? '' : spreadText(row.added[metric])),
    })),
    { heading: 'target', side: 'left', cell: verdict },
  ];
}

/** Returns the results of a scenario as lines for a terminal. */
export function formatTable(result: Result): string[] {
  const columns = columnsOf(result);
  const rows = rowsOf(columns, result);
  const widths = columns.map((_column, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return columns[at]?.side === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return ['', result.title, ...lines, ...warnings(result.comparisons)];
}

/** Returns the results of a scenario as a Markdown section. */
export function formatMarkdown(result: Result): string[] {
  const columns = columnsOf(result);
  const [headings = [], ...rows] = rowsOf(columns, result);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `### ${result.title}`,
    '',
    result.about,
    '',
    line(headings),
    line(columns.map(({ side }) => (side === 'left' ? '---' : '---:'))),
    ...rows.map(line),
    '',
    ...warnings(result.comparisons).flatMap((warning) => [warning, '']),
  ];
}

function rowsOf(columns: readonly Column[], { comparisons }: Result): string[][] {
  return [
    columns.map(({ heading }) => heading),
    ...comparisons.map((row, place) => columns.map(({ cell }) => cell(row, place))),
  ];
}

function number(value: number | undefined, digits: number): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Returns the median, with the quartiles of the slices in parentheses. */
function spreadText(spread: Spread | undefined): string {
  if (spread === undefined) return '-';
  const { median, low, high } = spread;
  return `${number(median, 2)} (${number(low, 2)}-${number(high, 2)})`;
}

function verdict({ reached, missed, ahead }: Comparison): string {
  const parts = [
    missed.length > 0 && `missed: ${missed.join(', ')}`,
    reached.length > 0 && `reached: ${reached.join(', ')}`,
    ahead.length > 0 && `aim: ${ahead.join(', ')}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/** Above this load, the other side limits the rate of the contender. */
const BUSY_LOAD = 0.9;

function warnings(comparisons: readonly Comparison[]): string[] {
  return comparisons.flatMap(({ name, otherLoad }) =>
    otherLoad === undefined || otherLoad <= BUSY_LOAD
      ? []
      : `The other side used ${number(otherLoad * 100, 0)} % of a core with "${name}": the rate may be its limit; the CPU figures are valid.`,
  );
}
