import type { Log } from '@virgule/core/log';

/** The commands that were reported, by the log of their bot. */
const reported = new WeakMap<Log, Set<string>>();

/**
 * Warns once for each command that an answer for a single user is not supported. The types do not offer
 * it, but JavaScript may pass it (Bot Interface, "What the service does").
 */
export function warnEphemeral(commandName: string, log: Log): void {
  const names = reported.get(log) ?? new Set();
  if (names.has(commandName)) return;
  reported.set(log, names.add(commandName));
  log.warn(
    { command: commandName },
    `/${commandName} answers with "ephemeral", which the platform does not support: all members see the answer`,
  );
}
