import { readFileSync } from 'node:fs';
import { errorCode } from '../errors/error-text.js';

/** Identity of a process in a file, from which a later process finds out whether the process still runs. */
export interface ProcessOwner {
  readonly pid: number;
  /**
   * Start of the process: another process may have the same id by now, and in a container the id is always the same.
   */
  readonly started?: string | undefined;
}

/** Access to the processes of the system. */
export interface ProcessPort {
  /** Returns whether a process runs. @defaultValue asks the system */
  readonly isRunning?: ((pid: number) => boolean) | undefined;
  /**
   * Returns the start of a process, in a form that differs for each process with this id; `undefined` if the start is
   * unknown.
   *
   * @defaultValue asks the system
   */
  readonly startOf?: ((pid: number) => string | undefined) | undefined;
}

/** Returns this process. */
export const ownProcess = (): ProcessOwner => ({
  pid: process.pid,
  started: startOfProcess(process.pid),
});

/** Returns whether the owner of a file still runs. */
export function isOwnerRunning(
  { pid, started }: ProcessOwner,
  { isRunning = runs, startOf = startOfProcess }: ProcessPort = {},
): boolean {
  return isRunning(pid) && (started === undefined || [undefined, started].includes(startOf(pid)));
}

/**
 * Returns the start of a process. Linux has the ticks since the start of the machine in field 22 of the status of a
 * process; other systems have only the start of this process.
 */
export function startOfProcess(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name of the program, in parentheses, may contain anything.
    return `${boot} ${status.slice(status.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return pid === process.pid ? String(performance.timeOrigin) : undefined;
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs as another user.
    return errorCode(error) === 'EPERM';
  }
}
