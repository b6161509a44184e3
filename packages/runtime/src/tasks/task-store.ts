import { randomUUID } from 'node:crypto';
import { isGone, ownerText } from '@virgule/core/fs';
import { isRecord } from '@virgule/core/objects';
import * as z from 'zod';
import { dueOf, jsonOf, nameInKey, nameOf, taskOf, timeInKey } from './task-keys.js';
import {
  failedSchema,
  readRun,
  type FailedRun,
  type RunChanges,
  type StoredRun,
} from './stored-run.js';
import type { ListedRun } from './task.js';
import type { StorageDriver } from '../storage/storage-driver.js';
import type { StorageConnection } from '../storage/storage-connection.js';

// Entries of tasks in the storage. A run has one entry for all its attempts, so each step of the run is one swap.
//
//   tasks:run:<task>:<due>:<call>     a called run; sorted by due time, then by the time of the call
//   tasks:run:<task>:<due>:@<key>     the next run of a repeat, whose payload is in its repeat
//   tasks:repeat:<task>:<key>         a repeat: its timing, its payload and the due time of its next run
//   tasks:claim:<id of the run>       the process that has the run; expires after the end of the process
//   tasks:failed:<id of the run>      a run that failed for good
//   tasks:done:<task>                 ids of the newest runs that are done, each with its duration

/** Time after which the claim of an ended process expires, in milliseconds. */
export const LEASE_MS = 30_000;
/** Time for which runs that failed for good and runs that are done are kept, in milliseconds. */
const KEPT_MS = 7 * 86_400_000;
/** Maximum number of runs of a task that are kept when they are done. */
export const MAX_DONE = 100;
/** Kinds of entries that belong to a task, as in their keys. */
const KINDS = ['run', 'failed', 'done'] as const;
/** Digits to base 36: of the time of a call, and of the number of calls in a process. */
const [MILLISECOND_DIGITS, CALL_DIGITS] = [9, 4];

/** Stores the runs of tasks. Every method rejects as the storage does. */
export class TaskStore {
  readonly #connection: StorageConnection;
  /** Name of this store in the claims that it makes. */
  readonly #owner = ownerText();
  #calls = 0;
  /** Last write of a run that is done. */
  #done: Promise<void> = Promise.resolve();

  constructor(connection: StorageConnection) {
    this.#connection = connection;
  }

  /** Adds a run of a task, and returns its id. */
  async add(task: string, dueMs: number, payload: unknown): Promise<string> {
    const id = `${nameInKey(task)}:${timeInKey(dueMs)}:${this.#nextCall()}`;
    await this.#run((driver) => driver.set(`tasks:run:${id}`, JSON.stringify({ payload }), null));
    return id;
  }

  /** Returns a unique part of a key, sorted by the time of the call. */
  #nextCall(): string {
    this.#calls = (this.#calls + 1) % 36 ** CALL_DIGITS;
    const time = this.#connection.clock.now().toString(36).padStart(MILLISECOND_DIGITS, '0');
    const call = this.#calls.toString(36).padStart(CALL_DIGITS, '0');
    return `${time}${call}-${randomUUID().slice(0, 4)}`;
  }

  /** Returns called runs, in the order of their due times and then of their calls. */
  async list(task: string, limit: number, after?: string): Promise<readonly StoredRun[]> {
    const prefix = `tasks:run:${nameInKey(task)}:`;
    const from = after === undefined ? undefined : `tasks:run:${after}`;
    const entries = await this.#run((driver) => driver.list({ prefix, limit, after: from }));
    return entries.map(({ key, value }) => readRun(key, value));
  }

  /**
   * Claims a run for this process. Resolves to the run as it is stored now; `undefined` if another process has the run, or
   * the run is over.
   */
  async claim(run: StoredRun): Promise<StoredRun | undefined> {
    const key = claimKey(run);
    if (!(await this.#take(key, undefined)) && !(await this.#takeOver(key))) return undefined;
    // The run may have ended between the listing and the claim.
    const claimed = await this.change(run, { begun: run.begun + 1 });
    if (!claimed) await this.release(run);
    return claimed;
  }

  #take(key: string, from: string | undefined): Promise<boolean> {
    return this.#run((driver) => driver.swap(key, from, this.#owner, LEASE_MS));
  }

  /** Takes a claim of a process of this machine that is gone. Resolves to whether there was one. */
  async #takeOver(key: string): Promise<boolean> {
    const text = await this.#run((driver) => driver.get(key));
    return text !== undefined && isGone(text) && this.#take(key, text);
  }

  /** Undoes a claim, as if the run had not begun. */
  async unclaim(run: StoredRun): Promise<void> {
    await this.change(run, { begun: run.begun - 1 });
    await this.release(run);
  }

  /** Renews a claim. Resolves to `false` if another process has begun the run. */
  async renew(run: StoredRun): Promise<boolean> {
    const key = claimKey(run);
    if (await this.#take(key, this.#owner)) return true;
    // The claim expires while this process is suspended.
    if (!(await this.#take(key, undefined))) return false;
    if ((await this.#run((driver) => driver.get(run.key))) === run.text) return true;
    await this.release(run);
    return false;
  }

  release(run: StoredRun): Promise<boolean> {
    return this.#run((driver) => driver.swap(claimKey(run), this.#owner, undefined, null));
  }

  /** Changes the entry of a run. Resolves to the run; `undefined` if another process changed the entry before. */
  async change(run: StoredRun, changes: RunChanges): Promise<StoredRun | undefined> {
    const value = jsonOf(run.text);
    // An entry that is no object becomes the payload.
    const entry = isRecord(value) ? value : { payload: value };
    const text = JSON.stringify({ ...entry, ...changes });
    return (await this.#replace(run, text)) ? { ...run, ...changes, text } : undefined;
  }

  /** Deletes the entry of a run. Resolves to `false` if another process changed the entry before. */
  delete(run: StoredRun): Promise<boolean> {
    return this.#replace(run, undefined);
  }

  #replace(run: StoredRun, text: string | undefined): Promise<boolean> {
    return this.#run((driver) => driver.swap(run.key, run.text, text, null));
  }

  /** Stores a run that failed for good, for a week. */
  async keepFailed(
    { id, payload, answer }: StoredRun,
    reason: string,
    atMs: number,
    ttlMs: number | null = KEPT_MS,
  ): Promise<void> {
    const text = JSON.stringify({ payload, answer, reason, at: new Date(atMs).toISOString() });
    await this.#run((driver) => driver.set(`tasks:failed:${id}`, text, ttlMs));
  }

  /** Stores that a run is done, one run after the other. */
  keepDone(run: StoredRun, tookMs: number): Promise<void> {
    const keep = async (): Promise<void> => {
      for (;;) {
        const { key, text, ids } = await this.#doneRuns(taskOf(run.id));
        const next = JSON.stringify([`${run.id} ${tookMs}`, ...ids].slice(0, MAX_DONE));
        if (await this.#run((driver) => driver.swap(key, text, next, KEPT_MS))) return;
      }
    };
    return (this.#done = this.#done.then(keep, keep));
  }

  /** Returns runs of a task that are done, the newest first. */
  async done(task: string, limit: number): Promise<readonly ListedRun[]> {
    const { ids } = await this.#doneRuns(task);
    return ids.slice(0, limit).map((text) => {
      const [id = '', tookMs] = text.split(' ');
      return { id, state: 'done', dueMs: dueOf(id), tookMs: tookMs ? Number(tookMs) : undefined };
    });
  }

  async #doneRuns(task: string) {
    const key = `tasks:done:${nameInKey(task)}`;
    const text = await this.#run((driver) => driver.get(key));
    const { data: ids = [] } = z.array(z.string()).safeParse(jsonOf(text ?? '[]'));
    return { key, text, ids };
  }

  /** Deletes a pending run. Resolves to whether the run was pending. */
  async cancel(id: string): Promise<boolean> {
    const key = `tasks:run:${id}`;
    const text = await this.#run((driver) => driver.get(key));
    if (text === undefined) return false;
    const run = await this.claim(readRun(key, text));
    if (!run) return false;
    const wasPending = await this.delete(run);
    await this.release(run);
    return wasPending;
  }

  /**
   * Deletes a run that failed for good after `again` has added its next run: if this process ends in between, the run is
   * duplicated, not lost. Resolves to the result of `again`; `undefined` if there is no such run.
   */
  async retry(
    id: string,
    again: (failed: Partial<FailedRun>) => Promise<string>,
  ): Promise<string | undefined> {
    const key = `tasks:failed:${id}`;
    const text = await this.#run((driver) => driver.get(key));
    if (text === undefined) return undefined;
    const next = await again(failedSchema.safeParse(jsonOf(text)).data ?? {});
    await this.#run((driver) => driver.delete(key));
    return next;
  }

  /** Deletes a run that failed for good. */
  dropFailed(id: string): Promise<boolean> {
    return this.#run((driver) => driver.delete(`tasks:failed:${id}`));
  }

  /** Yields the runs of a task that failed for good. */
  async *failed(task: string): AsyncGenerator<ListedRun, void, undefined> {
    const failed = `tasks:failed:${nameInKey(task)}:`;
    for await (const { key, value } of this.#connection.entries(failed)) {
      const { data } = failedSchema.safeParse(jsonOf(value));
      const id = key.slice('tasks:failed:'.length);
      yield { id, state: 'failed', dueMs: dueOf(id), ...data };
    }
  }

  /** Yields the stored runs of a task, in the order of their due times. */
  async *stored(task: string): AsyncGenerator<StoredRun, void, undefined> {
    for await (const { key, value } of this.#connection.entries(`tasks:run:${nameInKey(task)}:`))
      yield readRun(key, value);
  }

  /** Returns the names of tasks that have runs of these kinds. @defaultValue all kinds */
  async names(...kinds: readonly (typeof KINDS)[number][]): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for (const kind of kinds.length > 0 ? kinds : KINDS) {
      const prefix = `tasks:${kind}:`;
      let after: string | undefined;
      for (;;) {
        const request = { prefix, limit: 1, after };
        const [entry] = await this.#run((driver) => driver.list(request));
        if (!entry) break;
        const [, , name = ''] = entry.key.split(':');
        names.add(nameOf(name));
        // Skips all entries of this task: ";" comes after ":".
        after = `${prefix}${name};`;
      }
    }
    return names;
  }

  #run<T>(call: (driver: StorageDriver) => Promise<T>): Promise<T> {
    return this.#connection.run(call);
  }
}

const claimKey = ({ id }: StoredRun): string => `tasks:claim:${id}`;
