import type { Clock } from '@virgule/core/clock';
import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';
import type { ListTasksOptions, PendingTask, TaskHandle, TaskHandles } from './define-task.js';
import { durationMs, type Duration } from '../text/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { toJsonText } from '../storage/json-text.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { Task } from './task.js';
import { dueOf, TaskStore } from './task-store.js';

type TaskMap = ReadonlyMap<string, Task>;

const MAX_LIST = 1_000;
const DEFAULT_LIST = 100;
/** Maximum time of a `Date`, in milliseconds since the epoch. */
const MAX_TIME_MS = 8.64e15;

/** Queue of task runs: handlers and services add runs, the task runner takes them. */
export class TaskQueue {
  readonly store: TaskStore;
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
      in: async (delay: Duration, payload?: unknown) => {
        const ms = durationMs(delay);
        if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(delay) });
        return this.add(name, this.clock.now() + ms, payload);
      },
      at: async (time: Date, payload?: unknown) => this.add(name, time.getTime(), payload),
      cancel: async (id) =>
        String(id).startsWith(`${encodeURIComponent(name)}:`) && this.store.cancel(id),
      list: async ({ after, limit = DEFAULT_LIST }: ListTasksOptions = {}) => {
        const most = Math.min(Math.max(1, Math.trunc(limit)), MAX_LIST);
        const runs = await this.store.list(name, most, after);
        return runs.map(({ id, dueMs, payload }) => ({ id, at: new Date(dueMs), payload }));
      },
    };
  }

  /** Adds a run of a task. Throws as the handle of the task does. */
  async add(name: string, dueMs: number, payload: unknown): Promise<PendingTask> {
    const task = this.tasks.get(name);
    if (!task) {
      const known = [...this.tasks.keys()];
      const meant = didYouMean(name, known);
      throw runtimeErrors.E_TASK_CALL({ kind: 'name', name, known, meant });
    }
    const isTime = Math.abs(dueMs) <= MAX_TIME_MS;
    if (!isTime) throw runtimeErrors.E_TASK_CALL({ kind: 'time', task: name, saw: String(dueMs) });
    await checkPayload(task, payload);
    // The input of the schema is stored, not its output: a later version of the schema parses the input again.
    const text = payload === undefined ? '' : toJsonText(payload);
    if (typeof text !== 'string')
      throw invalidPayload(task, text.path, `${text.saw} cannot be stored`);
    const at = Math.max(0, Math.ceil(dueMs));
    const id = await this.store.add(name, at, payload);
    this.onAdded(at);
    return { id, at: new Date(dueOf(id)), payload };
  }
}

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
