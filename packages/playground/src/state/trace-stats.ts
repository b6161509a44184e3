import type { SimTraceRow } from '@virgule/core/simulator-api';

/** Endpoints that answer an interaction, by number: acknowledge and respond. */
const ANSWERS: ReadonlySet<number> = new Set([27, 31]);

/** A run of a command. */
export interface CommandRun {
  /** Id of its interaction. */
  readonly id: string;
  readonly startMs: number;
  /** Time from the event to the first answer or acknowledgement, in milliseconds; `null` without an answer. */
  tookMs: number | null;
  hasFailed: boolean;
}

/** Returns the key of a command among the runs: several bots may have commands with the same name. */
export const runsKey = (bot: string | undefined, name: string): string => `${bot ?? ''}/${name}`;

/** Returns the runs of each command, the oldest first, from events and requests: they exist for bots in any language. */
export function commandRuns(
  rows: readonly SimTraceRow[],
): ReadonlyMap<string, readonly Readonly<CommandRun>[]> {
  const runs = new Map<string, CommandRun>();
  const byKey = new Map<string, CommandRun[]>();
  for (const row of rows) {
    const { kind, what, bot, group, atMs, tookMs = 0, isError, endpoint = 0 } = row;
    if (group === null) continue;
    const known = runs.get(group);
    const name = kind === 'frame' && /^APPLICATION_COMMAND \/([^\s@]+)/.exec(what)?.[1];
    if (typeof name === 'string') {
      // An event that is sent twice is one run.
      if (known !== undefined) continue;
      const run = { id: group, startMs: atMs, tookMs: null, hasFailed: false };
      const key = runsKey(bot, name);
      runs.set(group, run);
      const others = byKey.get(key);
      if (others) others.push(run);
      else byKey.set(key, [run]);
    } else if (known !== undefined) {
      if (isError && kind !== 'request') known.hasFailed = true;
      if (!isError && kind === 'request' && ANSWERS.has(endpoint))
        known.tookMs ??= atMs + tookMs - known.startMs;
    }
  }
  return byKey;
}
