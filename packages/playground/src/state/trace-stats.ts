import type { SimTraceRow } from '@virgule/core/simulator-api';

/** How the runs of a command went, as far as the trace goes back. */
export interface CommandStats {
  readonly runs: number;
  readonly errors: number;
  /** From the receipt to the end, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Returns the figures of each command by name, from the log entries of runs that have ended. */
export function commandStats(rows: readonly SimTraceRow[]): ReadonlyMap<string, CommandStats> {
  const times = new Map<string, number[]>();
  const errors = new Map<string, number>();
  for (const { kind, what, isError, timings } of rows) {
    const name = kind === 'log' ? /^\/(\S+)/.exec(what)?.[1] : undefined;
    const ms = timings?.['ms'];
    if (name === undefined) continue;
    if (isError) errors.set(name, (errors.get(name) ?? 0) + 1);
    if (ms === undefined) continue;
    const known = times.get(name);
    if (known) known.push(ms);
    else times.set(name, [ms]);
  }
  return new Map(
    Array.from(times, ([name, all]) => {
      const sorted = all.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const failed = errors.get(name) ?? 0;
      return [name, { runs: all.length, errors: failed, p50: at(0.5), p99: at(0.99) }];
    }),
  );
}
