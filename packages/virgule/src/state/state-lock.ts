import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@virgule/core/objects';
import type { Clock } from '@virgule/core/clock';
import { errorCode, isVirguleError } from '@virgule/core/errors';
import {
  isOwnerRunning,
  makeStateFolder,
  startOfProcess,
  STATE_FILE_MODE,
  STATE_FOLDER,
  type ProcessPort,
} from '@virgule/core/fs';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';

/** Lock that reserves a project's state folder for one process, until it is disposed. */
type StateLock = ReturnType<typeof lockState>;

export interface StateLockOptions extends ProcessPort {
  /** Folder of the project. */
  readonly root: string;
  /** Command that holds the lock; each command has a separate lock. @defaultValue `'dev'` */
  readonly command?: 'dev' | 'build' | 'probe' | undefined;
  /** @defaultValue the id of this process */
  readonly pid?: number | undefined;
}

interface StateWaitOptions extends StateLockOptions {
  readonly clock: Clock;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Time limits in milliseconds for a `dev` process that is ending, and for a running build. */
const WAIT_MS = { dev: 2_000, build: 120_000, probe: 0 };
const POLL_MS = 50;
const lockOf = (command: string): string => join(STATE_FOLDER, `${command}.lock`);

/**
 * Locks the state folder of a project. Replaces the lock of a killed process.
 * @throws VirguleError `E_STATE_LOCKED` when another process holds the lock, `E_STATE_UNWRITABLE` when the folder
 * cannot be written.
 */
export function lockState(options: StateLockOptions) {
  const { root, command = 'dev', pid = process.pid, isRunning, startOf = startOfProcess } = options;
  const file = join(root, lockOf(command));
  const started = startOf(pid);
  const own = { pid, started };
  const taking = `${file}.taking`;
  /** Returns the process that holds a lock; `undefined` if the lock is free, or its process has ended. */
  const holderOf = (lock: string): Holder | undefined => {
    const holder = readHolder(lock);
    return holder && holder.pid !== pid && isOwnerRunning(holder, { isRunning, startOf })
      ? holder
      : undefined;
  };
  const create = (lock: string): void =>
    writeFileSync(lock, textOf(own), { flag: 'wx', mode: STATE_FILE_MODE });
  const refuse = (holder: Holder): never => {
    throw cliErrors.E_STATE_LOCKED({ command, pid: holder.pid, file: lockOf(command) });
  };
  /** Removes the lock of an ended process. If another process has just taken that lock, returns the new holder. */
  const removeLeft = (lock: string): Holder | undefined => {
    const moved = `${lock}.${pid}`;
    renameSync(lock, moved);
    const holder = holderOf(moved);
    if (holder) renameSync(moved, lock);
    else rmSync(moved);
    return holder;
  };
  try {
    makeStateFolder(join(root, STATE_FOLDER));
    // Only one of several processes that find the lock of a killed process succeeds here.
    try {
      create(taking);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const other = holderOf(taking) ?? removeLeft(taking);
      if (other) refuse(other);
      create(taking);
    }
    try {
      const holder = holderOf(file);
      if (holder) refuse(holder);
      rmSync(file, { force: true });
      create(file);
    } finally {
      rmSync(taking, { force: true });
    }
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined
      ? error
      : cliErrors.E_STATE_UNWRITABLE({ folder: STATE_FOLDER, reason }, { cause: error });
  }
  return {
    /** Writes the address of the simulator for other commands; without one, announces the end of this process. */
    announce(baseUrl?: string): void {
      try {
        writeFileSync(file, textOf({ ...own, baseUrl }));
      } catch (error) {
        // The folder was deleted: other commands of the project no longer find this process.
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    },
    [Symbol.dispose](): void {
      // The folder may have been deleted, and the lock may belong to another process by now.
      const holder = readHolder(file);
      if (holder?.pid === pid && holder.started === started) rmSync(file, { force: true });
    },
  };
}

/**
 * Locks the state folder of a project like `lockState`. Waits up to 2 s for a process without an address, which may
 * be ending, and up to 2 minutes for a build.
 */
export async function waitForState(options: StateWaitOptions): Promise<StateLock> {
  const { clock, signal } = options;
  const startMs = clock.monotonic();
  for (;;) {
    try {
      return lockState(options);
    } catch (error) {
      const isOver = clock.monotonic() - startMs >= WAIT_MS[options.command ?? 'dev'];
      if (!isVirguleError(error, 'E_STATE_LOCKED') || isOver) throw error;
      if (runningSimulator(options.root, options) !== undefined) throw error;
    }
    await clock.sleep(POLL_MS, { signal });
  }
}

/** Returns the address of the simulator of this project's running `virgule dev`; `undefined` without one. */
export function runningSimulator(root: string, port: ProcessPort = {}): string | undefined {
  const holder = readHolder(join(root, lockOf('dev')));
  return holder && isOwnerRunning(holder, port) ? holder.baseUrl : undefined;
}

const textOf = (holder: Holder): string => `${JSON.stringify(holder)}\n`;

/** Reads the holder of a lock; `undefined` if there is no file, or its process was killed during the write. */
const readHolder = (file: string): Holder | undefined =>
  parseJson(() => readFileSync(file, 'utf8'), holderSchema).data;

const holderSchema = z.object({
  pid: z.int().positive(),
  started: z.string().optional(),
  // An address that `fetch` cannot use counts as missing.
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
});
type Holder = z.output<typeof holderSchema>;

/** Returns the message of a system error, and `undefined` for our own errors. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error ? error.message : undefined;
