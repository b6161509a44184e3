import type { Log } from '@virgule/core/log';

/** The commands that were told, by the log of their bot. */
const told = new WeakMap<Log, Set<string>>();

/**
 * Says once for each command that an answer only one user sees is not to be had. The types do not
 * offer it; JavaScript may pass it all the same (Bot Interface, "What the service does").
 */
export function warnOfEphemeral(commandName: string, log: Log): void {
  const names = told.get(log) ?? new Set();
  if (names.has(commandName)) return;
  told.set(log, names.add(commandName));
  log.warn(
    { command: commandName },
    `/${commandName} answers with "ephemeral", which the platform does not support: everybody sees the answer.`,
  );
}
