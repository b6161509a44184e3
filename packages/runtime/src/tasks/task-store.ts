import { randomUUID } from 'node:crypto';
import { isGone, ownerText } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import { recordIn } from '@virgule/core/objects';
import * as z from 'zod';
import { idOf, jsonOf, nameInKey, nameOf, readId } from './task-keys.js';
import {
  failedSchema,
  readRun,
  type FailedRun,
  type RunChanges,
  type StoredRun,
} from './stored-run.js';
import type { StorageConnection } from '../storage/storage-connection.js';

// Entries of tasks in the storage. A run has one entry for all its attempts, so each step of the run is one swap.
//
//   tasks:run:<task>:<due>:<call>     a called run; sorted by due time, then by the time of the call
//   tasks:run:<task>:<due>:@<key>     the next run of a repeat, whose payload is in its repeat
//   tasks:run:<task>:<due>:?<place>   a run of a question, whose payload is in its question
//   tasks:repeat:<task>:<key>         a repeat: its timing, its payload and the due time of its next run
//   tasks:ask:<channel>:<message>     a question: its task, its payload, its deadline and the run that has decided the question
//   tasks:claim:<id of the run>       the process that has the run; expires after the end of the process
//   tasks:claim:<task>:@<key>         the process that has a run of the repeat: runs of a repeat do not overlap
//   tasks:failed:<id of the run>      a run that failed for good; <due> is 0 for all runs of a repeat whose payload does not fit
//   tasks:done:<task>                 the newest runs that are done: the id of each with its duration

/** Time after which the claim of an ended process expires, in milliseconds. */
export const LEASE_MS = 30_000;
/** Time for which runs that failed for good and runs that are done are kept, in milliseconds. */
const KEPT_MS = 7 * 86_400_000;
/** Maximum number of runs of a task that are kept when they are done. */
const MAX_DONE = 100;
/** Number of digits to base 36 of the time of a call, in microseconds. */
const CALL_DIGITS = 11;

/** Stores the runs of tasks. Every method rejects as the storage does. */
export class TaskStore {
  readonly #connection: StorageConnection;
  /** Name of this store in the claims that it makes. */
  readonly #owner = ownerText();
  /** Time of the last call, in microseconds since the epoch. Each call has a later one. */
  #callUs = 0;
  /** Last write of a run that is done. */
  #done: Promise<unknown> = Promise.resolve();

  constructor(connection: StorageConnection) {
    this.#connection = connection;
  }

  /** Adds a run of a task, and returns its id. */
  async add(task: string, dueMs: number, entry: RunChanges): Promise<string> {
    this.#callUs = Math.max(this.#callUs + 1, this.#connection.clock.now() * 1_000);
    const call = this.#callUs.toString(36).padStart(CALL_DIGITS, '0');
    // Unique, and sorted by the time of the call.
    const id = idOf(task, dueMs, `${call}-${randomUUID().slice(-12)}`);
    await this.#connection.set(`tasks:run:${id}`, JSON.stringify(entry));
    return id;
  }

  /**
   * Yields the stored runs of a task, in the order of their due times and then of their calls.
   *
   * @param after - id of the run before the first one.
   * @param page - number of runs that are read at a time.
   */
  async *runs(task: string, after?: string, page?: number): AsyncGenerator<StoredRun> {
    const from = after === undefined ? undefined : `tasks:run:${after}`;
    const entries = this.#connection.entries(`tasks:run:${nameInKey(task)}:`, from, page);
    for await (const { key, value } of entries) yield readRun(key, value);
  }

  /**
   * Claims a run for this process. Resolves to the run as it is stored now; `undefined` if another process has the run, or
   * the run is over.
   */
  async claim(run: StoredRun): Promise<StoredRun | undefined> {
    const key = claimKey(run);
    if (!(await this.#take(key, undefined))) {
      const owner = await this.#connection.get(key);
      // A process of this machine may be gone before its claim expires.
      if (owner === undefined || !isGone(owner) || !(await this.#take(key, owner)))
        return undefined;
    }
    // The run may have ended between the listing and the claim.
    const claimed = await this.change(run, { begun: run.begun + 1 });
    if (!claimed) await this.release(run);
    return claimed;
  }

  #take(key: string, from: string | undefined): Promise<boolean> {
    return this.#connection.swap(key, from, this.#owner, LEASE_MS);
  }

  /**
   * Keeps the claim of a run until another process has the run. Rejects when the signal is aborted.
   *
   * @param runOf - returns the run as it is stored now.
   */
  async keepClaim(runOf: () => StoredRun, log: Log, signal: AbortSignal): Promise<void> {
    do await this.#connection.clock.sleep(LEASE_MS / 3, { signal, isRoutine: true });
    while (await this.#renew(runOf()).catch(() => true));
    if (!signal.aborted) log.warn({ run: runOf().id }, LOST);
  }

  /** Renews a claim. Resolves to `false` if another process has begun the run. */
  async #renew(run: StoredRun): Promise<boolean> {
    const key = claimKey(run);
    if (await this.#take(key, this.#owner)) return true;
    // The claim expires while this process is suspended.
    if (!(await this.#take(key, undefined))) return false;
    if ((await this.#connection.get(run.key)) === run.text) return true;
    await this.release(run);
    return false;
  }

  release(run: StoredRun): Promise<boolean> {
    return this.#connection.swap(claimKey(run), this.#owner, undefined);
  }

  /** Changes the entry of a run. Resolves to the run; `undefined` if another process changed the entry before. */
  async change(run: StoredRun, changes: RunChanges): Promise<StoredRun | undefined> {
    // An entry that is no object becomes the payload.
    const entry = recordIn(run.text) ?? { payload: jsonOf(run.text) };
    const text = JSON.stringify({ ...entry, ...changes });
    const isChanged = await this.#connection.swap(run.key, run.text, text);
    return isChanged ? { ...run, ...changes, text } : undefined;
  }

  /** Deletes the entry of a run. Resolves to `false` if another process changed the entry before. */
  delete(run: StoredRun): Promise<boolean> {
    return this.#connection.swap(run.key, run.text, undefined);
  }

  /** Stores a run that failed for good. @param ttlMs - `null` for a run that is kept. */
  keepFailed(id: string, failed: FailedRun, ttlMs: number | null = KEPT_MS): Promise<void> {
    return this.#connection.set(`tasks:failed:${id}`, JSON.stringify(failed), ttlMs);
  }

  /** Stores that a run is done, one run after the other. */
  keepDone({ id, task }: StoredRun, tookMs: number): Promise<unknown> {
    const add = (text: string | undefined): string =>
      JSON.stringify([{ id, tookMs }, ...doneIn(text)].slice(0, MAX_DONE));
    const keep = () => this.#connection.update(doneKey(task), add, KEPT_MS);
    return (this.#done = this.#done.then(keep, keep));
  }

  /** Returns the runs of a task that are done, the newest first. */
  async done(task: string) {
    return doneIn(await this.#connection.get(doneKey(task)));
  }

  /** Deletes a pending run. Resolves to whether the run was pending. */
  async cancel(id: string): Promise<boolean> {
    const key = `tasks:run:${id}`;
    const text = await this.#connection.get(key);
    const pending = text === undefined ? undefined : readRun(key, text);
    // The run of a canceled question has yet to show that.
    const run = pending?.isCanceled ? undefined : pending && (await this.claim(pending));
    if (!run) return false;
    const wasPending = await this.delete(run);
    await this.release(run);
    return wasPending;
  }

  /** Returns a run that failed for good; an empty object for an entry in another form, `undefined` if there is no such run. */
  async failedRun(id: string): Promise<Partial<FailedRun> | undefined> {
    const text = await this.#connection.get(`tasks:failed:${id}`);
    return text === undefined ? undefined : (failedSchema.safeParse(jsonOf(text)).data ?? {});
  }

  /** Deletes a run that failed for good. */
  dropFailed(id: string): Promise<boolean> {
    return this.#connection.delete(`tasks:failed:${id}`);
  }

  /** Yields runs that failed for good: of a task, or of all tasks. */
  async *failed(task?: string) {
    const name = task === undefined ? '' : `${nameInKey(task)}:`;
    for await (const { key, value } of this.#connection.entries(`tasks:failed:${name}`)) {
      const { data } = failedSchema.safeParse(jsonOf(value));
      const id = key.slice('tasks:failed:'.length);
      yield { id, ...data, dueMs: data?.dueMs ?? readId(id).dueMs };
    }
  }

  /** Returns the names of tasks that have entries of these kinds, as in their keys. */
  async names(kinds = ['run', 'failed', 'done']): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for (const kind of kinds) {
      const prefix = `tasks:${kind}:`;
      let after: string | undefined;
      for (;;) {
        const [entry] = await this.#connection.list({ prefix, limit: 1, after });
        if (!entry) break;
        const [, , name = ''] = entry.key.split(':');
        names.add(nameOf(name));
        // Skips all entries of this task: ";" comes after ":".
        after = `${prefix}${name};`;
      }
    }
    return names;
  }
}

const LOST = 'another process has begun a run that is still in progress here';

export const claimKey = ({ id, task, repeat }: Pick<StoredRun, 'id' | 'task' | 'repeat'>): string =>
  `tasks:claim:${repeat === undefined ? id : `${nameInKey(task)}:@${nameInKey(repeat)}`}`;
const doneKey = (task: string): string => `tasks:done:${nameInKey(task)}`;

/** Reads the list of the runs of a task that are done; an empty list for no entry, and for an entry in another form. */
const doneIn = (text = '[]') => doneSchema.safeParse(jsonOf(text)).data ?? [];
const doneSchema = z.array(z.object({ id: z.string(), tookMs: z.number() }));
