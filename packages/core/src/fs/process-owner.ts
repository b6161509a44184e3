import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../errors/error-text.js';
import { recordIn } from '../objects/is-object.js';
import { orUndefined } from '../objects/or-undefined.js';

/** Identity of a process in a file, from which a later process finds out whether the process still runs. */
export interface ProcessOwner {
  readonly pid: number;
  /** Start of the process: its id may be of another process by now, and is always the same in a container. */
  readonly started?: string | undefined;
}

/** Access to the processes of the system. */
export interface ProcessPort {
  /** Returns whether a process runs. @defaultValue asks the system */
  readonly isRunning?: ((pid: number) => boolean) | undefined;
  /** Returns the start of a process in any form; `undefined` if unknown. @defaultValue asks the system */
  readonly startOf?: ((pid: number) => string | undefined) | undefined;
}

/** Returns this process. */
export const ownProcess = (): ProcessOwner => ({
  pid: process.pid,
  started: startOfProcess(process.pid),
});

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/**
 * Machine or container whose processes this process can ask the system about; `undefined` if unknown. Machines may have the
 * same name, and all have the same namespace outside of containers.
 */
const MACHINE = orUndefined(() => `${hostname()} ${bootId()} ${readlinkSync('/proc/self/ns/pid')}`);

/** Returns a unique string, from which `isGone` finds out whether this process still runs. */
export const ownerText = (): string =>
  JSON.stringify({ id: randomUUID(), machine: MACHINE, ...ownProcess() });

/** Returns whether a string of `ownerText` names a process of this machine that is gone; `false` for another machine. */
export function isGone(text: string): boolean {
  const { machine, pid, started } = recordIn(text) ?? {};
  if (!MACHINE || machine !== MACHINE || typeof pid !== 'number') return false;
  return !isOwnerRunning({ pid, started: started as ProcessOwner['started'] });
}

/** Returns whether the owner of a file still runs. */
export function isOwnerRunning(
  { pid, started }: ProcessOwner,
  { isRunning = runs, startOf = startOfProcess }: ProcessPort = {},
): boolean {
  return isRunning(pid) && (started === undefined || [undefined, started].includes(startOf(pid)));
}

/**
 * Returns the start of a process: on Linux field 22 of its status, the ticks since the start of the machine; elsewhere only
 * the start of this process.
 */
export function startOfProcess(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain anything.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    // A process that was killed has its id until its parent reads its exit code, which some containers never do.
    return fields[0] === 'Z' ? 'ended' : `${bootId()} ${fields[19]}`;
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
