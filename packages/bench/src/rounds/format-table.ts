import type { Comparison, Spread } from './compare.js';
import { METRICS } from './metrics.js';
import type { Scenario } from './scenario.js';

/** What the tables show of a scenario. */
export interface Result extends Pick<Scenario, 'about' | 'metrics' | 'ratios' | 'isLadder'> {
  readonly title: string;
  readonly comparisons: readonly Comparison[];
}

interface Column {
  readonly heading: string;
  /** Names and verdicts stand left, figures right. */
  readonly side: 'left' | 'right';
  readonly cell: (row: Comparison, place: number) => string;
}

function columnsOf({ metrics, ratios, isLadder }: Result): Column[] {
  return [
    { heading: '', side: 'left', cell: ({ name }) => name },
    ...metrics.map((metric): Column => ({
      heading: METRICS[metric].heading,
      side: 'right',
      cell: ({ values }) => number(values[metric], METRICS[metric].digits),
    })),
    ...(isLadder ? [STEP] : []),
    ...ratios.map((metric): Column => ({
      heading: `${METRICS[metric].heading} ratio`,
      side: 'right',
      cell: (row, place) => (place === 0 ? '' : spreadText(row.ratios[metric])),
    })),
    { heading: 'target', side: 'left', cell: verdict },
  ];
}

const STEP: Column = {
  heading: 'CPU us more than the row above',
  side: 'right',
  cell: ({ stepCpuMicros }) => (stepCpuMicros === undefined ? '' : number(stepCpuMicros, 1)),
};

/** The results of one scenario as lines for a terminal. */
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

/** The results of one scenario as a section of a page. */
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

/** The median, and in brackets the least and the most of the rounds. */
function spreadText(spread: Spread | undefined): string {
  if (spread === undefined) return '-';
  const { median, least, most } = spread;
  return `${number(median, 2)} (${number(least, 2)}-${number(most, 2)})`;
}

function verdict({ reached, missed }: Comparison): string {
  const parts = [
    missed.length > 0 && `missed: ${missed.join(', ')}`,
    reached.length > 0 && `reached: ${reached.join(', ')}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/** Above this the other side is not much faster than the contender, and the rate is partly its own. */
const BUSY = 0.9;

function warnings(comparisons: readonly Comparison[]): string[] {
  return comparisons.flatMap(({ name, otherLoad }) =>
    otherLoad === undefined || otherLoad <= BUSY
      ? []
      : `The other side used ${number(otherLoad * 100, 0)} % of a core with "${name}": the rate may be its limit, the CPU figures hold.`,
  );
}
