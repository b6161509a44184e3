import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@virgule/core/log';
import type {
  AskHandle,
  AskOptions,
  ListTasksOptions,
  PendingTask,
  RepeatSettings,
  TaskHandle,
  TaskHandles,
} from './define-task.js';
import { readDuration } from '../errors/read-duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { listLimit, type StorageConnection } from '../storage/storage-connection.js';
import { timingText, type ListedRun, type Task } from './task.js';
import { isPassing } from '../command/answer/pursue.js';
import { Sent } from '../command/answer/sent-message.js';
import type { SentMessage } from '../command/answer/answer.js';
import { warnOnce } from '../command/warn-once.js';
import { buttonsOf, isFinal } from './ask-answers.js';
import { checkCall, checkTime, readAskOptions, readRepeat } from './check-call.js';
import { askIdOf, TaskAsks } from './task-asks.js';
import { FILE_KEY, hasKnownZone, runIdOf, TaskRepeats } from './task-repeats.js';
import { nameInKey, readId } from './task-keys.js';
import type { Ask, FailedRun, StoredRun } from './stored-run.js';
import { TaskStore } from './task-store.js';

/** Queue of task runs: handlers and services add runs, the task runner takes them. */
export class TaskQueue {
  readonly store: TaskStore;
  readonly repeats: TaskRepeats;
  readonly asks: TaskAsks;
  /** Handles that handlers get as `tasks`. */
  readonly handles: TaskHandles;
  readonly connection: StorageConnection;
  /** Tasks by name. A reload replaces the map. */
  tasks: ReadonlyMap<string, Task>;
  onAdded: (dueMs: number) => void = () => {};
  /** Called when a question is open: an answer may have arrived before. */
  onAsked = (_ask: Ask): void => {};
  /** Called when the buttons of a question could not be shown yet. */
  onUnshown = (): void => {};
  isPaused = false;
  /** Reason why no runs begin; `undefined` if runs begin. */
  failure: string | undefined;

  constructor(connection: StorageConnection, tasks: ReadonlyMap<string, Task>) {
    this.connection = connection;
    this.tasks = tasks;
    this.store = new TaskStore(connection);
    this.repeats = new TaskRepeats(connection);
    this.asks = new TaskAsks(connection, () => this.onAdded(this.connection.clock.now()));
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

  #handleOf(name: string): TaskHandle & AskHandle {
    return {
      in: async (delay, payload) =>
        this.add(name, this.connection.clock.now() + readDuration(delay), payload),
      at: async (time, payload) => this.add(name, new Date(time).getTime(), payload),
      every: (every, payload, options) => this.#repeat(name, payload, { ...options, every }),
      cron: (cron, payload, options) => this.#repeat(name, payload, { ...options, cron }),
      ask: (question: SentMessage, payload: unknown, options: AskOptions) =>
        this.#ask(name, question, payload, { ...options }),
      cancel: async (id) => {
        const text = String(id);
        if (text !== FILE_KEY && (await this.repeats.cancel(name, text))) return true;
        return text.startsWith(`${nameInKey(name)}:`) && this.cancel(text);
      },
      list: (options) => this.#list(name, options),
    };
  }

  /** Adds a run of a task. Throws as the handle of the task does. */
  async add(name: string, dueMs: number, payload: unknown): Promise<PendingTask> {
    await checkCall(this.tasks, name, payload);
    checkTime(name, dueMs);
    const at = Math.max(0, Math.ceil(dueMs));
    const id = await this.store.add(name, at, { payload });
    this.onAdded(at);
    return { id, at: new Date(at), payload };
  }

  /**
   * Returns a run with its question, and with the payload of its repeat or its question; `undefined` if the run does not begin. Deletes a run that is left
   * over. A run that is due decides its question.
   */
  async begin(run: StoredRun, task: Task, isDue: boolean, log: Log) {
    const owner = await this.#ownerOf(run, isDue);
    if (owner?.run === run.id) {
      const { repeat, payload, question } = owner;
      if (repeat && !hasKnownZone(repeat)) {
        const text = `"${repeat.key}" of the task ${task.name} waits: Node.js does not know its time zone`;
        warnOnce(log, { task: task.name }, `the repeat ${text}: ${timingText(repeat.timing)}`);
        return undefined;
      }
      // A process with another version of the file runs its own schedule.
      const isForeign =
        repeat?.key === FILE_KEY && !isDeepStrictEqual(repeat.timing, task.schedule);
      return isForeign ? undefined : { ...run, payload, question };
    }
    // The run of a repeat is stored before the repeat names its due time.
    const isEarly = run.place ? !isDue : owner?.repeat && run.dueMs > owner.repeat.due;
    if (!isEarly) await this.store.delete(run);
    return undefined;
  }

  /** Schedules a run that failed for good again, due now. Resolves to the new id; `undefined` if there is no such run. */
  async retry(id: string): Promise<string | undefined> {
    const failed = await this.store.failedRun(id);
    if (!failed) return undefined;
    const next = await this.again(readId(id), failed);
    // If this process ends before, the run is duplicated, not lost.
    await this.store.dropFailed(id);
    return next;
  }

  /** Adds a run, due now, that does the work of a run that failed for good, with its question. Resolves to the id of the new run. */
  async again({ task, place }: Pick<StoredRun, 'task' | 'place'>, failed: Partial<FailedRun>) {
    const { payload, answer, question: asked = place } = failed;
    const at = this.connection.clock.now();
    const question = asked && { by: [], votes: {}, due: at, at, ...asked, task };
    const waits = failed.question?.waits;
    const id = await this.store.add(task, at, { payload, answer, waits, question });
    this.onAdded(at);
    return id;
  }

  /**
   * Cancels a pending run, the repeat of the run, or the question of the run. Resolves to `false` if there is none, and for the
   * schedule of a file.
   */
  async cancel(id: string): Promise<boolean> {
    const { task, place, repeat: key } = readId(id);
    if (place) {
      const ask = await this.asks.get(place);
      if (!ask || ![askIdOf(ask), ask.run].includes(id)) return false;
      // The run of the task shows in the channel that the question is canceled.
      if (ask.run === undefined && this.tasks.get(ask.task)?.waits)
        return this.asks.answer(ask, { isCanceled: true });
      if (ask.run !== undefined && !(await this.store.cancel(ask.run))) return false;
      await this.asks.end(ask);
      return true;
    }
    if (key === undefined) return this.store.cancel(id);
    return key !== FILE_KEY && this.repeats.cancel(task, key);
  }

  /** Returns runs of a task. */
  async #list(name: string, options?: ListTasksOptions) {
    const { after, limit } = { ...options };
    const most = listLimit(limit);
    const found: PendingTask[] = [];
    for await (const { pending } of this.#pending(name, after, most))
      if (found.push(pending) === most) break;
    return found;
  }

  /**
   * Yields all runs of a task: failed runs, then pending ones and the next runs of repeats in the order of their due times, then
   * runs that are done, the newest first.
   */
  async *all(task: string, maxDone?: number): AsyncGenerator<ListedRun, void, undefined> {
    const isoOf = (ms: number): string => new Date(ms).toISOString();
    for await (const { id, dueMs, payload, reason } of this.store.failed(task))
      yield { id, state: 'failed', at: isoOf(dueMs), payload, reason };
    for await (const { run, pending } of this.#pending(task)) {
      const { id, at, payload, repeats } = pending;
      const isOpen = run.place && run.dueMs > this.connection.clock.now();
      const state = repeats ? 'scheduled' : isOpen ? 'open' : 'pending';
      const attempt = run.attempt > 1 ? run.attempt : undefined;
      yield { id, state, at: at.toISOString(), attempt, payload, repeats };
    }
    for (const { id, tookMs } of (await this.store.done(task)).slice(0, maxDone))
      yield { id, state: 'done', at: isoOf(readId(id).dueMs), tookMs };
  }

  async #repeat(task: string, payload: unknown, settings: RepeatSettings): Promise<PendingTask> {
    await checkCall(this.tasks, task, payload);
    const read = await readRepeat(task, settings, this.connection.clock.now());
    const repeat = { ...read, task, payload };
    await this.repeats.update(repeat, () => repeat);
    const { key, due, timing } = repeat;
    this.onAdded(due);
    return { id: runIdOf(repeat), at: new Date(due), payload, repeats: { ...timing, key } };
  }

  async #ask(
    task: string,
    question: SentMessage,
    payload: unknown,
    options: Partial<AskOptions>,
  ): Promise<PendingTask> {
    const noted = Sent.notedBy(question);
    // After a kill before the question is stored, the next start says that no one waits for its answer.
    noted?.remember?.('answer');
    const asked = await checkCall(this.tasks, task, payload, true);
    const { withinMs, ...read } = readAskOptions(asked, options, question);
    const { id: messageId, channelId } = await question.message();
    const at = this.connection.clock.now();
    const due = Math.ceil(at + withinMs);
    const ask = { channelId, messageId, task, due, ...read, payload, at };
    const isAdded = await this.asks.add(ask);
    // Before a user can answer: the next start must not say that no one waits.
    await noted?.finish?.();
    if (!isAdded) throw runtimeErrors.E_TASK_CALL({ kind: 'asked', task, messageId });
    this.onAdded(due);
    const pending = { id: askIdOf(ask), at: new Date(due), payload };
    try {
      for (const emoji of buttonsOf(asked.waits, read.votes)) await question.react(emoji);
    } catch (error) {
      if (isPassing(error)) {
        this.onUnshown();
        return pending;
      }
      await this.cancel(pending.id);
      if (isFinal(error)) withdrawals.add(Object(error));
      throw error;
    }
    // Only the next start needs this, and otherwise shows the buttons again: the question is open.
    const { waits } = asked;
    await this.asks.change(ask, () => ({ waits })).catch(() => {});
    this.onAsked({ ...ask, waits });
    return pending;
  }

  /** Yields stored runs, each also as handlers see it, without runs that are left over of a repeat or a question. */
  async *#pending(task: string, after?: string, page?: number) {
    for await (const run of this.store.runs(task, after, page)) {
      const { id, dueMs, notBefore, isCanceled } = run;
      const owner = await this.#ownerOf(run);
      if (isCanceled || owner?.run !== id) continue;
      const { payload, repeat } = owner;
      const repeats = repeat && { ...repeat.timing, key: repeat.key || undefined };
      yield { run, pending: { id, at: new Date(Math.max(dueMs, notBefore)), payload, repeats } };
    }
  }

  /** Returns the entry to which a run belongs: a called run, a repeat or a question. Each names the one run that begins. */
  async #ownerOf(run: StoredRun, decides = false) {
    const { id, task, place, question, payload, repeat: key } = run;
    if (place) {
      const isAnswer = run.answer !== undefined || run.isCanceled;
      // A killed process leaves the deadline of a question that is not stored.
      const decide = (ask: Ask) => (isAnswer || askIdOf(ask) === id ? { run: id } : {});
      const ask = await (decides ? this.asks.change(place, decide) : this.asks.get(place));
      return ask && { run: ask.run ?? askIdOf(ask), payload: ask.payload, question: ask };
    }
    if (key === undefined) return { run: id, payload, question };
    const repeat = await this.repeats.get(task, key);
    return repeat && { run: runIdOf(repeat), payload: repeat.payload, repeat };
  }
}

/** Errors of questions whose buttons the platform refuses. */
const withdrawals = new WeakSet<object>();

/** Returns whether an error has withdrawn a question: to ask again would only repeat the message. */
export const isWithdrawn = (error: unknown): boolean => withdrawals.has(Object(error));
