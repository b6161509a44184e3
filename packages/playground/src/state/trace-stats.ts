import type { TraceGroup } from './trace-groups.js';

/** Endpoints that answer an interaction, by number: acknowledge and respond. */
const ANSWERS: ReadonlySet<number> = new Set([27, 31]);

/** A run of a command. */
export interface CommandRun {
  /** Id of its interaction. */
  readonly id: string;
  /** The typed line. */
  readonly line: string;
  readonly startMs: number;
  /** Time from the event to the first answer or acknowledgement, in milliseconds; `null` without an answer. */
  readonly tookMs: number | null;
  readonly hasFailed: boolean;
}

/** Returns the runs of each command, the oldest first, from events and requests: they exist for bots in any language. */
export function commandRuns(
  groups: readonly TraceGroup[],
): ReadonlyMap<string, readonly CommandRun[]> {
  const runs = new Map<string, CommandRun[]>();
  for (const { key: id, title: line, command, rows } of groups.toReversed()) {
    // An event that is sent twice is one run.
    const event = rows.find(({ kind }) => kind === 'frame');
    if (command === undefined || event === undefined) continue;
    const { atMs: startMs } = event;
    const answer = rows.find(({ isError, endpoint = 0 }) => !isError && ANSWERS.has(endpoint));
    const tookMs = answer ? answer.atMs + (answer.tookMs ?? 0) - startMs : null;
    const hasFailed = rows.some(({ isError, kind }) => isError && kind !== 'request');
    const run = { id, line, startMs, tookMs, hasFailed };
    runs.set(command.key, [...(runs.get(command.key) ?? []), run]);
  }
  return runs;
}
