import type { SimTraceRow } from '@virgule/core/simulator-api';

/** Figures of the runs of a command, as far back as the trace. */
export type CommandStats = ReturnType<typeof figuresOf>;

/** Endpoints that answer an interaction, by number: acknowledge and respond. */
const ANSWERS: ReadonlySet<number> = new Set([27, 31]);

interface Run {
  readonly key: string;
  readonly startMs: number;
  tookMs: number | null;
  hasFailed: boolean;
}

/** Returns the key of a command in the figures: several bots may have commands with the same name. */
export const statsKey = (bot: string | undefined, name: string): string => `${bot ?? ''}/${name}`;

/** Returns the figures of each command, from events and requests: they exist for bots in any language. */
export function commandStats(rows: readonly SimTraceRow[]): ReadonlyMap<string, CommandStats> {
  const runs = new Map<string, Run>();
  for (const row of rows) {
    const { kind, what, bot, group, atMs, tookMs = 0, isError, endpoint = 0 } = row;
    if (group === null) continue;
    const name = kind === 'frame' && /^APPLICATION_COMMAND \/([^\s@]+)/.exec(what)?.[1];
    const run = runs.get(group);
    if (typeof name === 'string') {
      // An event that is sent twice is one run.
      if (run === undefined)
        runs.set(group, {
          key: statsKey(bot, name),
          startMs: atMs,
          tookMs: null,
          hasFailed: false,
        });
    } else if (run !== undefined) {
      if (isError && kind !== 'request') run.hasFailed = true;
      if (!isError && kind === 'request' && ANSWERS.has(endpoint))
        run.tookMs ??= atMs + tookMs - run.startMs;
    }
  }
  const byKey = new Map<string, Run[]>();
  for (const run of runs.values()) {
    const known = byKey.get(run.key);
    if (known) known.push(run);
    else byKey.set(run.key, [run]);
  }
  return new Map(Array.from(byKey, ([key, all]) => [key, figuresOf(all)]));
}

function figuresOf(runs: readonly Run[]) {
  const times = runs.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? null;
  const errors = runs.filter(({ hasFailed }) => hasFailed).length;
  // Times from the event to the first answer or acknowledgement, in milliseconds; `null` without an answer.
  return { runs: runs.length, errors, p50: at(0.5), p99: at(0.99) };
}
