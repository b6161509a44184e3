import type { SimTraceRow } from '@virgule/core/simulator-api';
import type { TraceFilter } from './trace-filter.js';

/** The rows of one interaction or message, or a single row without either. */
export type TraceGroup = ReturnType<typeof toGroup>;

export interface TraceLine {
  readonly key: string;
  readonly group: TraceGroup;
  /** The row; `null` for the head of a group. */
  readonly row: SimTraceRow | null;
}

const endOf = ({ atMs, tookMs = 0 }: SimTraceRow): number => atMs + tookMs;

/** Collects rows into groups, the newest group first. */
export function groupRows(rows: readonly SimTraceRow[]): readonly TraceGroup[] {
  const byKey = new Map<string, SimTraceRow[]>();
  for (const row of rows) {
    const key = row.group ?? `row-${row.id}`;
    const known = byKey.get(key);
    if (known) known.push(row);
    else byKey.set(key, [row]);
  }
  return Array.from(byKey, ([key, members]) => toGroup(key, members)).toReversed();
}

function toGroup(key: string, members: readonly SimTraceRow[]) {
  const rows = members.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id);
  const startMs = rows[0]?.atMs ?? 0;
  return {
    /** Stays the same until the first row of the group is dropped. */
    key,
    title: titleOf(rows),
    /** Rows in the order of their times. */
    rows: rows as readonly SimTraceRow[],
    startMs,
    /** Time from the start of the first row to the end of the last row, in milliseconds. */
    tookMs: rows.reduce((end, row) => Math.max(end, endOf(row)), startMs) - startMs,
    isError: rows.some(({ isError }) => isError),
  };
}

/** Returns the title of a group: the typed line of a command, or its first event. */
function titleOf(rows: readonly SimTraceRow[]): string {
  const event = rows.find(({ kind, from }) => kind === 'frame' && from === 'platform') ?? rows[0];
  return event === undefined ? '' : event.what.replace(/^APPLICATION_COMMAND /, '');
}

const HEARTBEAT = /^HEARTBEAT/;

/** Returns each group with a matching row, and all rows of an open group. */
export function linesOf(
  groups: readonly TraceGroup[],
  filter: TraceFilter,
  isOpen: (group: TraceGroup) => boolean,
): readonly TraceLine[] {
  const lines: TraceLine[] = [];
  for (const group of groups) {
    const [first] = group.rows;
    if (first === undefined || (!filter.hasHeartbeats && HEARTBEAT.test(first.what))) continue;
    if (!filter.isEmpty && !group.rows.some((row) => filter.matches(row))) continue;
    if (first.group === null) {
      lines.push({ key: group.key, group, row: first });
      continue;
    }
    lines.push({ key: group.key, group, row: null });
    if (!isOpen(group)) continue;
    for (const row of group.rows) lines.push({ key: `row-${row.id}`, group, row });
  }
  return lines;
}
