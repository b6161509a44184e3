import type { Log } from '@virgule/core/log';

const reported = new WeakMap<Log, Set<string>>();

/** Writes a warning, unless the log of the bot has a warning of this kind. @param kind - the message by default */
export function warnOnce(log: Log, details: object, message: string, kind = message): void {
  const seen = reported.get(log) ?? new Set();
  if (!seen.has(kind)) log.warn(details, message);
  reported.set(log, seen.add(kind));
}
