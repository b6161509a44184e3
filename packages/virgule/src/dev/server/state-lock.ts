import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder, STATE_FILE_MODE, STATE_FOLDER } from '@virgule/core/fs';
import * as z from 'zod';
import { cliErrors } from '../../cli/cli-errors.js';

/** Holds a project's state folder for one process, until it is disposed. */
export interface StateLock {
  /** Writes the address of the simulator for other commands of this project. */
  announce(baseUrl: string): void;
  [Symbol.dispose](): void;
}

export interface StateLockOptions {
  /** The project's folder. */
  readonly root: string;
  /** @defaultValue this process */
  readonly pid?: number | undefined;
  /** Whether a process runs. @defaultValue asks the system */
  readonly isRunning?: ((pid: number) => boolean) | undefined;
}

const LOCK = join(STATE_FOLDER, 'dev.lock');

/**
 * Takes the state folder of a project. What a process left that was killed is taken over.
 *
 * @throws VirguleError `E_STATE_LOCKED` when another process holds it, `E_STATE_UNWRITABLE` when it cannot be written.
 */
export function lockState({
  root,
  pid = process.pid,
  isRunning = runs,
}: StateLockOptions): StateLock {
  const file = join(root, LOCK);
  const take = (): void =>
    writeFileSync(file, textOf({ pid }), { flag: 'wx', mode: STATE_FILE_MODE });
  try {
    makeStateFolder(join(root, STATE_FOLDER));
    try {
      take();
    } catch (error) {
      if (!isExisting(error)) throw error;
      const holder = readHolder(file);
      if (holder && holder.pid !== pid && isRunning(holder.pid))
        throw cliErrors.E_STATE_LOCKED({ pid: holder.pid, file: LOCK });
      rmSync(file, { force: true });
      take();
    }
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined
      ? error
      : cliErrors.E_STATE_UNWRITABLE({ folder: STATE_FOLDER, reason }, { cause: error });
  }
  return {
    announce: (baseUrl) => writeFileSync(file, textOf({ pid, baseUrl })),
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}

/** Returns the address of the simulator of this project's running `virgule dev`, if it has one. */
export function runningSimulator(root: string, isRunning = runs): string | undefined {
  const holder = readHolder(join(root, LOCK));
  return holder && isRunning(holder.pid) ? holder.baseUrl : undefined;
}

interface Holder {
  readonly pid: number;
  readonly baseUrl?: string | undefined;
}

const textOf = (holder: Holder): string => `${JSON.stringify(holder)}\n`;

/** Returns `undefined` if there is no file, or its process was killed while writing it. */
function readHolder(file: string): Holder | undefined {
  try {
    const { data } = holderSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return data;
  } catch {
    return undefined;
  }
}

const holderSchema = z.object({
  pid: z.int().positive(),
  baseUrl: z.string().optional(),
}) satisfies z.ZodType<Holder>;

/** Returns the message of a system error, and `undefined` for our own errors. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error ? error.message : undefined;

const isExisting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
