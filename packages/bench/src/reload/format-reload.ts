import { median } from '../rounds/statistics.js';
import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { ReloadResult } from './measure-reload.js';

const HEADINGS = [
  'files',
  'edit',
  'with',
  'median ms',
  'p95 ms',
  'CPU ms',
  'samples',
  'lost',
  'reconnects',
  'RSS MiB',
  'PSS MiB',
];

/** Returns the results as lines of a table. */
export function formatReload(results: readonly ReloadResult[]): string[] {
  const rows = [
    HEADINGS,
    ...results.map((result) => [
      String(result.files),
      result.edit,
      result.subject,
      result.medianMs.toFixed(1),
      result.p95Ms.toFixed(1),
      result.cpuMs?.toFixed(1) ?? '',
      String(result.samples),
      `${result.lost} of ${result.asked}`,
      String(result.reconnects),
      result.rssMiB.toFixed(0),
      result.pssMiB.toFixed(0),
    ]),
  ];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function formatKill(result: KillResult): string {
  const { kills, asked, unanswered, reconnects, seconds, pageAlive } = result;
  return [
    `${kills} kills during ${asked} commands, 100 per second: ${unanswered} unanswered`,
    `${reconnects} reconnects`,
    `page ${pageAlive ? 'alive' : 'dead'}`,
    `next answer after ${median(seconds).toFixed(2)} s, at most ${Math.max(...seconds).toFixed(2)} s`,
  ].join(', ');
}

export function formatHeap(result: HeapResult): string {
  const { reloads, mebibytesPerThousand, firstMiB, lastMiB, handles, reconnects } = result;
  return [
    `${reloads} reloads: heap ${mebibytesPerThousand.toFixed(2)} MiB per 1,000`,
    `from ${firstMiB.toFixed(1)} to ${lastMiB.toFixed(1)} MiB`,
    `handles ${handles.first} to ${handles.last}`,
    `${reconnects} reconnects`,
  ].join(', ');
}
