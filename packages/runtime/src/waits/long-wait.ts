import type { Log } from '@virgule/core/log';
import { formatDuration } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Command } from '../load/project.js';

/** Commands whose waits were reported. A reload makes new ones. */
const reported = new WeakSet<Command>();

/** Warns, once for each command, of a wait that its timeout ends first. Called when the wait begins. */
export function warnOfLongWait(command: Command, call: string, waitMs: number, log: Log): void {
  const { name, file, timeoutMs } = command;
  if (waitMs < timeoutMs || reported.has(command)) return;
  reported.add(command);
  const [wait, timeout] = [formatDuration(waitMs), formatDuration(timeoutMs)];
  const err = runtimeErrors.E_TIMEOUT_TOO_SHORT({ file, call, wait, timeout });
  log.warn({ command: name, file, err }, err.message);
}
