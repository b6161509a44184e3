import { randomUUID } from 'node:crypto';
import { isRecord } from '@virgule/core/objects';
import * as z from 'zod';
import type { StorageDriver } from '../storage/storage-driver.js';
import type { StorageConnection } from '../storage/storage.js';

// The entries of the storage that tasks consist of. One run is one entry for all of its attempts, so each step of it is one swap.
//
//   tasks:run:<task>:<due>:<random>   a run that was called; in the order in which they are due
//   tasks:schedule:<task>             the next run of a task with a schedule
//   tasks:claim:<id of the run>       the process that runs it; expires if that process is gone
//   tasks:failed:<id of the run>      a run that failed for good

/** How long the claim of a process that is gone is left to it, in milliseconds. */
export const LEASE_MS = 30_000;
const FAILED_TTL_MS = 7 * 86_400_000;
/** 16 digits hold every time of a `Date`. */
const TIME_DIGITS = 16;

const runSchema = z.object({
  payload: z.unknown().optional(),
  attempt: z.int().min(1).default(1),
  /** Until when a repetition waits, in milliseconds since the epoch. */
  notBefore: z.number().default(0),
  /** How often this attempt was begun: more than once if its process ended. */
  begun: z.int().min(0).default(0),
  /** How long that was when it began, in milliseconds. */
  pauseMs: z.number().default(0),
  /** Since when it waits for a platform that is away or limits it, in milliseconds since the epoch. */
  waitingSince: z.number().optional(),
});
const scheduleSchema = runSchema.extend({
  /** The schedule that it was made for. */
  spec: z.string(),
  due: z.number(),
});

const failedSchema = z.looseObject({ payload: z.unknown().optional(), reason: z.string() });

/** A run for people to read. */
export interface ListedRun {
  readonly id: string;
  readonly state: 'failed' | 'scheduled' | 'pending';
  readonly dueMs: number;
  /** Of a run that has not failed for good: the attempt that comes next, and the time it waits for. */
  readonly attempt?: number;
  readonly notBefore?: number;
  readonly payload?: unknown;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** A run that is pending or in progress. */
export interface StoredRun extends Readonly<z.output<typeof runSchema>> {
  /** `<task>:<due>:<random>`, or `<task>:<due>` of a task with a schedule. */
  readonly id: string;
  readonly key: string;
  /** The entry as it was read. */
  readonly text: string;
  readonly dueMs: number;
  /** Of a task with a schedule: that for which the run was made. */
  readonly spec?: string | undefined;
}

/** Stores the runs of tasks. Every method rejects as the storage does. */
export class TaskStore {
  readonly #connection: StorageConnection;
  /** Claims runs. */
  readonly #owner = randomUUID();

  constructor(connection: StorageConnection) {
    this.#connection = connection;
  }

  /** Adds a run of a task, and returns its id. */
  async add(task: string, dueMs: number, payload: unknown): Promise<string> {
    const id = `${nameInKey(task)}:${timeInKey(dueMs)}:${randomUUID().slice(0, 13)}`;
    await this.#run((driver) => driver.set(`tasks:run:${id}`, JSON.stringify({ payload }), null));
    return id;
  }

  /** Returns runs that were called, those that are due first. */
  async list(task: string, limit: number, after?: string): Promise<readonly StoredRun[]> {
    const entries = await this.#run((driver) =>
      driver.list({
        prefix: `tasks:run:${nameInKey(task)}:`,
        limit,
        after: after === undefined ? undefined : `tasks:run:${after}`,
      }),
    );
    return entries.map(({ key, value }) => readRun(key, value));
  }

  /** Returns the next run of a task with a schedule; `undefined` if there is none yet. */
  async scheduled(task: string): Promise<StoredRun | undefined> {
    const key = scheduleKey(task);
    const text = await this.#run((driver) => driver.get(key));
    return text === undefined ? undefined : readSchedule(task, key, text);
  }

  /** Writes the next run of a task with a schedule, if there is still the one before. Resolves to whether there was. */
  reschedule(
    task: string,
    before: StoredRun | undefined,
    next: { readonly spec: string; readonly due: number },
  ): Promise<boolean> {
    const text = JSON.stringify(next);
    return this.#run((driver) => driver.swap(scheduleKey(task), before?.text, text, null));
  }

  /**
   * Resolves to the run, as it is stored now, if this process may begin it: no other has, and it is not over. `undefined`
   * otherwise.
   */
  async claim(run: StoredRun): Promise<StoredRun | undefined> {
    const key = claimKey(run);
    if (!(await this.#run((driver) => driver.swap(key, undefined, this.#owner, LEASE_MS))))
      return undefined;
    // It may have ended between being listed and being claimed.
    const claimed = withBegun(run, run.begun + 1);
    if (await this.replace(run, claimed.text)) return claimed;
    await this.release(run);
    return undefined;
  }

  /** Takes a claim back: as if the run had not begun. */
  async unclaim(run: StoredRun): Promise<void> {
    await this.replace(run, withBegun(run, run.begun - 1).text);
    await this.release(run);
  }

  /** Keeps a claim. Resolves to `false` if another process has begun the run. */
  async renew(run: StoredRun): Promise<boolean> {
    const key = claimKey(run);
    const owner = this.#owner;
    const claim = (from: string | undefined): Promise<boolean> =>
      this.#run((driver) => driver.swap(key, from, owner, LEASE_MS));
    if (await claim(owner)) return true;
    // It expires while its process is suspended.
    if (!(await claim(undefined))) return false;
    if ((await this.#run((driver) => driver.get(run.key))) === run.text) return true;
    await this.release(run);
    return false;
  }

  release(run: StoredRun): Promise<boolean> {
    return this.#run((driver) => driver.swap(claimKey(run), this.#owner, undefined, null));
  }

  /** Replaces the entry of a run, or deletes it. Resolves to `false` if another process did so before. */
  replace(run: StoredRun, next: object | string | undefined): Promise<boolean> {
    const text = typeof next === 'object' ? JSON.stringify(next) : next;
    return this.#run((driver) => driver.swap(run.key, run.text, text, null));
  }

  /** Returns the entry of a run that begins again after a pause. */
  waiting(
    run: StoredRun,
    nowMs: number,
    changes: Pick<StoredRun, 'pauseMs' | 'waitingSince'> & { readonly attempt?: number },
  ): object {
    return { ...entryOf(run.text), begun: 0, notBefore: nowMs + changes.pauseMs, ...changes };
  }

  /** Keeps a run that failed for good, for a week. */
  async keepFailed(run: StoredRun, reason: string, atMs: number): Promise<void> {
    const text = JSON.stringify({ payload: run.payload, reason, at: new Date(atMs).toISOString() });
    await this.#run((driver) => driver.set(`tasks:failed:${run.id}`, text, FAILED_TTL_MS));
  }

  /** Resolves to whether a run is the next one of a schedule. */
  async isScheduled(id: string): Promise<boolean> {
    return (await this.scheduled(taskOf(id)))?.id === id;
  }

  /** Deletes a run that is pending. Resolves to whether it was. */
  async cancel(id: string): Promise<boolean> {
    const key = `tasks:run:${id}`;
    const text = await this.#run((driver) => driver.get(key));
    if (text === undefined) return false;
    const run = await this.claim(readRun(key, text));
    if (!run) return false;
    const wasPending = await this.replace(run, undefined);
    await this.release(run);
    return wasPending;
  }

  /** Puts a run that failed for good back, due now. Resolves to its new id, or `undefined` if there is none. */
  async retry(id: string): Promise<string | undefined> {
    const key = `tasks:failed:${id}`;
    const text = await this.#run((driver) => driver.get(key));
    if (text === undefined) return undefined;
    const { data } = failedSchema.safeParse(jsonOf(text));
    // First: if this process ends in between, the run is there twice rather than lost.
    const next = await this.add(taskOf(id), this.#connection.clock.now(), data?.payload);
    await this.#run((driver) => driver.delete(key));
    return next;
  }

  /** Returns all runs of a task: those that failed, the next of its schedule, and those that were called. */
  async *all(task: string): AsyncGenerator<ListedRun, void, undefined> {
    const failed = `tasks:failed:${nameInKey(task)}:`;
    for await (const { key, value } of this.#connection.entries(failed)) {
      const { data } = failedSchema.safeParse(jsonOf(value));
      const id = key.slice('tasks:failed:'.length);
      yield { id, state: 'failed', dueMs: dueOf(id), ...data };
    }
    const next = await this.scheduled(task);
    if (next) yield { ...next, state: 'scheduled' };
    for await (const { key, value } of this.#connection.entries(`tasks:run:${nameInKey(task)}:`))
      yield { ...readRun(key, value), state: 'pending' };
  }

  /** Returns the names of tasks that have runs which were called. */
  async names(): Promise<readonly string[]> {
    const names: string[] = [];
    let after: string | undefined;
    for (;;) {
      const request = { prefix: 'tasks:run:', limit: 1, after };
      const [entry] = await this.#run((driver) => driver.list(request));
      if (!entry) return names;
      const [, , name = ''] = entry.key.split(':');
      names.push(nameOf(name));
      // The next entry after all those of this task: ";" comes after ":".
      after = `tasks:run:${name};`;
    }
  }

  #run<T>(call: (driver: StorageDriver) => Promise<T>): Promise<T> {
    return this.#connection.run(call);
  }
}

// A name may have any character that a file name has; ":" separates the parts of a key.
const nameInKey = (task: string): string => encodeURIComponent(task);
const timeInKey = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');
const scheduleKey = (task: string): string => `tasks:schedule:${nameInKey(task)}`;
const claimKey = ({ id }: StoredRun): string => `tasks:claim:${id}`;

/** Returns the name in a key. One that was written by hand may not be encoded. */
function nameOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the task of a run with this id. */
const taskOf = (id: string): string => nameOf(id.split(':')[0] ?? '');

/** Returns the time at which a run with this id is due, in milliseconds since the epoch. */
export const dueOf = (id: string): number => Number(id.split(':')[1]) || 0;

const FIRST = { attempt: 1, notBefore: 0, pauseMs: 0, begun: 0 };

/** Reads an entry. Of one that has another form, the payload is what it contains: the schema of its task refuses it. */
function readRun(key: string, text: string): StoredRun {
  const value = jsonOf(text);
  const { data = { ...FIRST, payload: value } } = runSchema.safeParse(value);
  const id = key.slice('tasks:run:'.length);
  return { ...data, id, key, text, dueMs: dueOf(id) };
}

function readSchedule(task: string, key: string, text: string): StoredRun {
  const { data = { ...FIRST, due: 0, spec: '' } } = scheduleSchema.safeParse(jsonOf(text));
  const { due: dueMs, ...run } = data;
  const id = `${nameInKey(task)}:${timeInKey(dueMs)}`;
  return { ...run, payload: undefined, id, key, text, dueMs };
}

function withBegun(run: StoredRun, begun: number): StoredRun {
  return { ...run, begun, text: JSON.stringify({ ...entryOf(run.text), begun }) };
}

/** Returns an entry as an object: of one that is none, the payload is what it contains. */
function entryOf(text: string): object {
  const value = jsonOf(text);
  return isRecord(value) ? value : { payload: value };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
