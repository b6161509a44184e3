import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import type { Clock } from '@virgule/core/clock';
import { errorCode, isVirguleError } from '@virgule/core/errors';
import {
  isOwnerRunning,
  makeStateFolder,
  startOfProcess,
  STATE_FILE_MODE,
  STATE_FOLDER,
  type ProcessOwner,
  type ProcessPort,
} from '@virgule/core/fs';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';

/** Holds a project's state folder for one process, until it is disposed. */
type StateLock = ReturnType<typeof lockState>;

export interface StateLockOptions extends ProcessPort {
  /** The project's folder. */
  readonly root: string;
  /** The command that holds it; each has a lock of its own. @defaultValue `'dev'` */
  readonly command?: 'dev' | 'build' | undefined;
  /** @defaultValue this process */
  readonly pid?: number | undefined;
}

/** How long a process that ends may keep the lock, and how long a build may take, in milliseconds. */
const WAIT_MS = { dev: 2_000, build: 120_000 };
const POLL_MS = 50;
const lockOf = (command: string): string => join(STATE_FOLDER, `${command}.lock`);

/**
 * Takes the state folder of a project. What a process left that was killed is taken over.
 *
 * @throws VirguleError `E_STATE_LOCKED` when another process holds it, `E_STATE_UNWRITABLE` when it cannot be written.
 */
export function lockState({
  root,
  command = 'dev',
  pid = process.pid,
  isRunning,
  startOf = startOfProcess,
}: StateLockOptions) {
  const file = join(root, lockOf(command));
  const started = startOf(pid);
  const own = { pid, started };
  const taking = `${file}.taking`;
  /** Returns the process that holds a lock; `undefined` if it is free, or was left by one that is gone. */
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
  /** Removes the lock of a process that is gone. Returns its holder if another process has taken it meanwhile. */
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
    // Of two that find a lock which a killed process left, one takes it.
    try {
      create(taking);
    } catch (error) {
      if (!isExisting(error)) throw error;
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
    /** Writes the address of the simulator for other commands of this project; without one, it ends. */
    announce(baseUrl?: string): void {
      try {
        writeFileSync(file, textOf({ ...own, baseUrl }));
      } catch (error) {
        // The folder was deleted: other commands of the project no longer find this one.
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    },
    [Symbol.dispose](): void {
      // The folder may have been deleted, and belong to another process since.
      const holder = readHolder(file);
      if (holder?.pid === pid && holder.started === started) rmSync(file, { force: true });
    },
  };
}

/**
 * Takes the state folder of a project like `lockState`. Waits up to 2 s for a process that announces no address: it may
 * be ending; up to 2 minutes for a build.
 */
export async function waitForState({
  clock,
  signal,
  ...options
}: StateLockOptions & {
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}): Promise<StateLock> {
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

/** Returns the address of the simulator of this project's running `virgule dev`, if it has one. */
export function runningSimulator(root: string, port: ProcessPort = {}): string | undefined {
  const holder = readHolder(join(root, lockOf('dev')));
  return holder && isOwnerRunning(holder, port) ? holder.baseUrl : undefined;
}

interface Holder extends ProcessOwner {
  readonly baseUrl?: string | undefined;
}

const textOf = (holder: Holder): string => `${JSON.stringify(holder)}\n`;

/** Returns `undefined` if there is no file, or its process was killed while writing it. */
const readHolder = (file: string): Holder | undefined =>
  orUndefined(() => holderSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));

const holderSchema = z.object({
  pid: z.int().positive(),
  started: z.string().optional(),
  // An address that `fetch` does not take is none.
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
}) satisfies z.ZodType<Holder>;

/** Returns the message of a system error, and `undefined` for our own errors. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error ? error.message : undefined;

const isExisting = (error: unknown): boolean => errorCode(error) === 'EEXIST';
