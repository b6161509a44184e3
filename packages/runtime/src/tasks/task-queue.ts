import { randomUUID } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';
import type { PendingTask, RepeatOptions, TaskHandle, TaskHandles } from './define-task.js';
import { durationMs } from '../text/duration.js';
import { isTimeZone } from '../text/time-zone.js';
import { runtimeErrors, showValue } from '../errors/runtime-errors.js';
import { toJsonText } from '../storage/json-text.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import { nextTime, type Task, type Timing } from './task.js';
import { FILE_KEY, runIdOf, TaskRepeats, type Repeat } from './task-repeats.js';
import {
  dueOf,
  nameInKey,
  repeatOf,
  taskOf,
  TaskStore,
  type ListedRun,
  type StoredRun,
} from './task-store.js';

type TaskMap = ReadonlyMap<string, Task>;

const MAX_LIST = 1_000;
const DEFAULT_LIST = 100;
/** Minimum interval of a repeat, in milliseconds. */
const MIN_INTERVAL_MS = 1_000;
/** Maximum length of the key of a repeat, in the form of a key in the storage. */
const MAX_KEY_LENGTH = 200;
/** Maximum time of a `Date`, in milliseconds since the epoch. */
const MAX_TIME_MS = 8.64e15;

/** Queue of task runs: handlers and services add runs, the task runner takes them. */
export class TaskQueue {
  readonly store: TaskStore;
  readonly repeats: TaskRepeats;
  /** Handles that handlers get as `tasks`. */
  readonly handles: TaskHandles;
  readonly clock: Clock;
  /** `true` if no other process can access these runs. */
  readonly isPrivate: boolean;
  /** Tasks by name. A reload replaces the map. */
  tasks: TaskMap;
  onAdded: (dueMs: number) => void = () => {};
  isPaused = false;
  /** Reason why no runs begin; `undefined` if runs begin. */
  failure: string | undefined;

  constructor(connection: StorageConnection, tasks: TaskMap) {
    this.clock = connection.clock;
    this.isPrivate = connection.isPrivate;
    this.tasks = tasks;
    this.store = new TaskStore(connection);
    this.repeats = new TaskRepeats(connection);
    // Tasks are added and removed by reloads, and called by services before anything is loaded.
    this.handles = new Proxy(Object.create(null) as TaskHandles, {
      get: (_, name) => {
        // A function with the name `then` would make the object a promise.
        return typeof name === 'string' && name !== 'then' ? this.#handleOf(name) : undefined;
      },
    });
  }

  /** Runs the tasks that are due after the clock was changed. */
  clockWasSet(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.onAdded(-Infinity);
  }

  #handleOf(name: string): TaskHandle {
    return {
      in: async (delay, payload) => {
        const ms = durationMs(delay);
        if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(delay) });
        return this.add(name, this.clock.now() + ms, payload);
      },
      at: async (time, payload) => this.add(name, time.getTime(), payload),
      every: async (interval, payload, options) => {
        const every = durationMs(interval);
        if (every === undefined || every < MIN_INTERVAL_MS)
          throw noRepeat(name, 'a duration of a second or more', interval);
        return this.#repeat(name, { every }, payload, options);
      },
      cron: async (cron, payload, options = {}) => {
        const { timeZone = 'UTC' } = options;
        if (!isTimeZone(timeZone))
          throw noRepeat(name, "a time zone, such as 'Europe/Berlin'", timeZone);
        const timing = { cron: String(cron), timeZone };
        const first = await nextTime(timing, 0, 0).catch(() => undefined);
        if (first === undefined) throw noRepeat(name, CRON, cron);
        return this.#repeat(name, timing, payload, options);
      },
      cancel: async (id) => {
        const text = String(id);
        const isRun = text.startsWith(`${nameInKey(name)}:`);
        if (text !== FILE_KEY && (await this.repeats.cancel(name, text))) return true;
        return isRun && this.cancel(text);
      },
      list: async ({ after, limit = DEFAULT_LIST } = {}) => {
        const most = Math.min(Math.max(1, Math.trunc(limit)), MAX_LIST);
        const found: PendingTask[] = [];
        // Runs that are left over are omitted, and the next ones are read in their place.
        for (let from = after; ;) {
          const missing = most - found.length;
          const runs = await this.store.list(name, missing, from);
          const pending = await Promise.all(runs.map((run) => this.#pending(name, run)));
          found.push(...pending.filter((run) => run !== undefined));
          if (found.length === most || runs.length < missing) return found;
          from = runs.at(-1)?.id;
        }
      },
    };
  }

  /** Adds a run of a task. Throws as the handle of the task does. */
  async add(name: string, dueMs: number, payload: unknown): Promise<PendingTask> {
    await this.#checkCall(name, payload);
    checkTime(name, dueMs);
    const at = Math.max(0, Math.ceil(dueMs));
    const id = await this.store.add(name, at, payload);
    this.onAdded(at);
    return { id, at: new Date(dueOf(id)), payload };
  }

  /** Cancels a pending run, or the repeat of the run. Resolves to `false` if there is none, and for the schedule of a file. */
  async cancel(id: string): Promise<boolean> {
    const key = repeatOf(id);
    if (key === undefined) return this.store.cancel(id);
    return key !== FILE_KEY && this.repeats.cancel(taskOf(id), key);
  }

  /** Yields all runs of a task: failed runs, then pending ones and the next runs of repeats in the order of their due times. */
  async *all(task: string): AsyncGenerator<ListedRun, void, undefined> {
    yield* this.store.failed(task);
    for await (const run of this.store.stored(task)) {
      const pending = await this.#pending(task, run);
      if (!pending) continue;
      const { payload, repeats } = pending;
      yield { ...run, state: repeats ? 'scheduled' : 'pending', payload, repeats };
    }
  }

  async #repeat(
    task: string,
    timing: Timing,
    payload: unknown,
    { key = randomUUID() }: RepeatOptions = {},
  ): Promise<PendingTask> {
    await this.#checkCall(task, payload);
    if (typeof key !== 'string' || key === FILE_KEY || nameInKey(key).length > MAX_KEY_LENGTH)
      throw noRepeat(task, `a key of 1 to ${MAX_KEY_LENGTH} characters`, key);
    const nowMs = this.clock.now();
    const due = await nextTime(timing, nowMs, nowMs);
    if (due === undefined) throw noRepeat(task, CRON, timing);
    checkTime(task, due);
    const repeat = { task, key, timing, due, payload };
    await this.repeats.put(repeat);
    this.onAdded(due);
    return pendingOf(repeat);
  }

  /** Checks the name and the payload of a call. */
  async #checkCall(name: string, payload: unknown): Promise<void> {
    const task = this.tasks.get(name);
    if (!task) {
      const known = [...this.tasks.keys()];
      const meant = didYouMean(name, known);
      throw runtimeErrors.E_TASK_CALL({ kind: 'name', name, known, meant });
    }
    await checkPayload(task, payload);
    // The input of the schema is stored, not its output: a later version of the schema parses the input again.
    const text = payload === undefined ? '' : toJsonText(payload);
    if (typeof text !== 'string')
      throw invalidPayload(task, text.path, `${text.saw} cannot be stored`);
  }

  /** Returns a stored run as handlers see it; `undefined` for a run whose repeat is canceled or further. */
  async #pending(task: string, run: StoredRun): Promise<PendingTask | undefined> {
    const { id, dueMs, payload, repeat: key } = run;
    if (key === undefined) return { id, at: new Date(dueMs), payload };
    const repeat = await this.repeats.get(task, key);
    return repeat?.due === dueMs ? pendingOf(repeat) : undefined;
  }
}

/** @throws VirguleError `E_TASK_CALL` for a time beyond those of a `Date`. */
function checkTime(task: string, ms: number): void {
  const isTime = Math.abs(ms) <= MAX_TIME_MS;
  if (!isTime) throw runtimeErrors.E_TASK_CALL({ kind: 'time', task, saw: String(ms) });
}

function pendingOf(repeat: Repeat): PendingTask {
  const { key, timing, due, payload } = repeat;
  const repeats = { ...timing, ...(key !== FILE_KEY && { key }) };
  return { id: runIdOf(repeat), at: new Date(due), payload, repeats };
}

const CRON = "a cron expression with a future time, such as '0 9 * * 1-5'";

const noRepeat = (task: string, want: string, saw: unknown) =>
  runtimeErrors.E_TASK_CALL({ kind: 'repeat', task, want, saw: showValue(saw) });

/** Parses the payload of a run by the schema of its task. @throws VirguleError `E_TASK_CALL` if the payload does not match. */
export async function checkPayload(task: Task, payload: unknown): Promise<unknown> {
  if (!task.payload) {
    if (payload === undefined) return undefined;
    throw invalidPayload(task, '', 'it has no schema');
  }
  const { success, data, error } = await z.safeParseAsync(task.payload, payload);
  if (success) return data;
  const [issue] = error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidPayload(task, at, issue?.message ?? 'invalid', error);
}

function invalidPayload({ name: task, file }: Task, at: string, why: string, cause?: unknown) {
  return runtimeErrors.E_TASK_CALL({ kind: 'payload', task, file, at, why }, { cause });
}
