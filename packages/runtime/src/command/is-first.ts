import type { Log } from '@virgule/core/log';

const reported = new WeakMap<Log, Set<string>>();

/** Returns whether a line is the first of its kind in the log of a bot. */
export function isFirst(log: Log, kind: string): boolean {
  const seen = reported.get(log) ?? new Set();
  if (seen.has(kind)) return false;
  reported.set(log, seen.add(kind));
  return true;
}
