import type { SimTraceRow } from '@virgule/core/simulator-api';
import type { TraceFilter } from './trace-filter.js';

/** Kinds of groups that the list can be limited to. */
export const TRACE_KINDS = ['commands', 'events', 'tasks', 'saves'] as const;
export type TraceKind = (typeof TRACE_KINDS)[number] | 'connection' | 'heartbeat';

/** The rows of one command, event, run of a task or save, or a single row without any. */
export type TraceGroup = ReturnType<typeof toGroup>;

export interface TraceLine {
  readonly key: string;
  readonly group: TraceGroup;
  /** The row; `null` for the head of a group. */
  readonly row: SimTraceRow | null;
  /** Number of equal calls, or of saves of the same files, in this line. */
  readonly times: number;
}

const endOf = ({ atMs, tookMs = 0 }: SimTraceRow): number => atMs + tookMs;

/** The event of a command, and the request of its user: the latter alone if the bot did not receive the command. */
const COMMAND = /^(?:APPLICATION_COMMAND|POST \/api\/\S+\/interactions\/commands) (?=\/)/;
const SAVE = /^reloaded ?/;
const TASK = /^(?:task |tasks\/)([^\s.]+)/;
const HEARTBEAT = /^HEARTBEAT/;

/** Frames and notices that no user causes: a bot connects, and registers its commands before it reports a save. */
const OWN = /^(?:HELLO|IDENTIFY|READY|RESUME|reloaded)/;
const OWN_GAP_MS = 1_000;
/** Titles of the calls that a bot makes without a cause, by what one of the rows is. */
const OWN_TITLES = [
  [/^READY/, 'Connected'],
  [/voice|\/whip/, 'Voice'],
  [/\/commands/, 'Registered commands'],
  [/^/, 'Calls of the bot'],
] as const;

/** Maximum difference of the clocks of the bot and of the simulator, in milliseconds. */
const CLOCK_MS = 2;

/** Collects rows into groups, the newest group first. */
export function groupRows(rows: readonly SimTraceRow[]): readonly TraceGroup[] {
  const keys = new Map<SimTraceRow, string>();
  let own = { key: '', endMs: -Infinity };
  let loose: SimTraceRow[] = [];
  for (const row of rows) {
    const { id, atMs, kind, from, group, what, isError, timings } = row;
    const isCall = kind === 'request' && from === 'bot';
    if (group !== null) {
      keys.set(row, group);
      // Requests of a run name no cause: they are those of its time.
      if (kind !== 'log' || !TASK.test(what)) continue;
      for (const call of loose)
        if (call.atMs > atMs - (timings?.['ms'] ?? 0) - CLOCK_MS) keys.set(call, group);
      loose = [];
    } else if (isCall || OWN.test(what) || (kind === 'log' && !isError)) {
      if (isCall) loose.push(row);
      if (atMs > own.endMs) own = { key: `own-${id}`, endMs: 0 };
      keys.set(row, own.key);
      own.endMs = SAVE.test(what) ? -Infinity : atMs + OWN_GAP_MS;
    } else keys.set(row, `row-${id}`);
  }
  const byKey = new Map<string, SimTraceRow[]>();
  for (const [row, key] of keys) {
    const known = byKey.get(key);
    if (known) known.push(row);
    else byKey.set(key, [row]);
  }
  return foldSaves(Array.from(byKey, ([key, members]) => toGroup(key, members))).toReversed();
}

/** Replaces saves of the same files in a row by the last one. */
function foldSaves(groups: readonly TraceGroup[]): readonly TraceGroup[] {
  const folded: TraceGroup[] = [];
  let at = -1;
  for (const group of groups) {
    const before = folded[at];
    if (group.kind === 'saves' && before?.title === group.title)
      folded[at] = { ...group, key: before.key, saves: before.saves + 1 };
    else {
      folded.push(group);
      if (group.kind !== 'heartbeat') at = group.kind === 'saves' ? folded.length - 1 : -1;
    }
  }
  return folded;
}

const isFrame = ({ kind }: SimTraceRow): boolean => kind === 'frame';

/** Returns the key of a command of a bot. */
export const commandKey = (bot: string | undefined, name: string): string => `${bot ?? ''}/${name}`;

function toGroup(key: string, members: readonly SimTraceRow[]) {
  const rows = members.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id);
  const startMs = rows[0]?.atMs ?? 0;
  const { kind, title } = describe(rows);
  const [, name] = (kind === 'commands' && /^\/([^\s@]+)/.exec(title)) || [];
  return {
    /** Stays the same until the first row of the group is dropped. */
    key,
    kind,
    title,
    /** Name of the run command, and its key: several bots may have commands with the same name. */
    command:
      name === undefined ? undefined : { name, key: commandKey(rows.find(isFrame)?.bot, name) },
    /** Rows in the order of their times. */
    rows: rows as readonly SimTraceRow[],
    startMs,
    /** Time from the start of the first row to the end of the last row, in milliseconds. */
    tookMs: rows.reduce((end, row) => Math.max(end, endOf(row)), startMs) - startMs,
    /** Number of saves of the same files in a row. */
    saves: 1,
    outcome: outcomeOf(kind, rows),
  };
}

/** Returns the kind of a group and its title: the typed line of a command, the saved files, or the first event. */
function describe(rows: readonly SimTraceRow[]): {
  readonly kind: TraceKind;
  readonly title: string;
} {
  const find = (pattern: RegExp) => rows.find(({ what }) => pattern.test(what))?.what;
  const [first] = rows;
  const line = find(COMMAND);
  if (line !== undefined) return { kind: 'commands', title: line.replace(COMMAND, '') };
  const task = rows.find(
    ({ kind, group, what }) => kind === 'log' && group !== null && TASK.test(what),
  );
  if (task) return { kind: 'tasks', title: `Task ${TASK.exec(task.what)?.[1]}` };
  if (first?.group === null) {
    const files = find(SAVE)?.replace(SAVE, '');
    if (files !== undefined)
      return { kind: 'saves', title: files === '' ? 'Restarted' : `Saved ${files}` };
    if (HEARTBEAT.test(first.what)) return { kind: 'heartbeat', title: first.what };
    const [, title = ''] = OWN_TITLES.find(([pattern]) => find(pattern)) ?? [];
    return { kind: 'connection', title: rows.length > 1 ? title : first.what };
  }
  const event = rows.find(({ kind, from }) => kind === 'frame' && from === 'platform') ?? first;
  return { kind: 'events', title: event?.what.replace(/^MESSAGE_CREATE (?=.)/, '') ?? '' };
}

/** Returns the outcome of a group, with a word unless it is a success. */
function outcomeOf(
  kind: TraceKind,
  rows: readonly SimTraceRow[],
): { readonly tone: 'ok' | 'warn' | 'err'; readonly word: string } {
  const failed = rows.find((row) => row.isError && row.kind !== 'request');
  if (failed) return { tone: 'err', word: failed.kind === 'notice' ? 'expired' : 'failed' };
  if (kind === 'commands' && !rows.some(isFrame)) return { tone: 'err', word: 'not received' };
  const refused = rows.findLast((row) => row.isError);
  if (!refused) return { tone: 'ok', word: '' };
  const isRetried = rows.some((row) => row.endpoint === refused.endpoint && !row.isError);
  const word = `${refused.status ?? 'refused'}`;
  return isRetried ? { tone: 'warn', word: `${word}, retried` } : { tone: 'err', word };
}

/** Returns each group with a matching row, and the rows of an open group. */
export function linesOf(
  groups: readonly TraceGroup[],
  filter: TraceFilter,
  isOpen: (group: TraceGroup) => boolean,
): readonly TraceLine[] {
  const lines: TraceLine[] = [];
  for (const group of groups) {
    const { key, kind, rows, saves } = group;
    const [first] = rows;
    if (first === undefined || (!filter.hasHeartbeats && kind === 'heartbeat')) continue;
    if (!filter.isEmpty && !rows.some((row) => filter.matches(row))) continue;
    const isSingle = rows.length === 1 && kind !== 'commands' && kind !== 'saves';
    lines.push({ key, group, row: isSingle ? first : null, times: saves });
    if (isSingle || !isOpen(group)) continue;
    for (const row of rows) {
      const before = lines.at(-1);
      const isSame = before?.row?.what === row.what && before.row.status === row.status;
      if (isSame && row.kind === 'request')
        lines[lines.length - 1] = { ...before, times: before.times + 1 };
      else lines.push({ key: `row-${row.id}`, group, row, times: 1 });
    }
  }
  return lines;
}
