import type { Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { BotEnvironment } from '../bot/bot-environment.js';
import { isFirst } from '../bot/is-first.js';
import { ClaimedRun } from './claimed-run.js';
import type { TaskQueue } from './task-queue.js';
import type { StoredRun } from './task-store.js';
import type { Schedule } from './schedule.js';
import type { Task } from './task.js';

/** How often the storage is read though no run is known to be due: others add runs too, and leave theirs behind. */
const POLL_MS = 5_000;
/** The maximum number of entries that are read at a time. */
const PAGE = 100;
/** The clocks of two processes may differ by this, in milliseconds. */
const MAX_SKEW_MS = 3_600_000;

/** What is known of the runs of a task. */
interface TaskState {
  /** Ids of those in progress. */
  readonly running: Set<string>;
  /** The spec of its schedule, if that is in the storage. */
  registered?: string | undefined;
  /** The time of its schedule that was checked last, and when it was. */
  plausible?: { readonly dueMs: number; readonly latest: number };
}

/**
 * Runs tasks when they are due. Several processes with one storage share the runs: each is claimed by one of them, which
 * renews its claim as long as it runs. A run whose process is gone is begun again by another one.
 */
export class TaskRunner {
  readonly #env: BotEnvironment;
  readonly #queue: TaskQueue;
  /** By the name of each task. */
  readonly #states = new Map<string, TaskState>();
  #timer: Timer | undefined;
  #wakesAtMs = Infinity;
  #isStarted = false;
  #isReading = false;
  /** Something changed while the storage was being read. */
  #isStale = false;
  #hasFailed = false;

  constructor(env: BotEnvironment, queue: TaskQueue) {
    this.#env = env;
    this.#queue = queue;
    queue.onAdded = (dueMs) => this.#wakeAt(dueMs);
  }

  /** Begins to run what is due. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.reload();
  }

  /** Takes the tasks that the queue has now. Runs in progress end on the old code. */
  reload(): void {
    const { tasks } = this.#queue;
    for (const [name, state] of this.#states) if (!tasks.has(name)) state.registered = undefined;
    if (!this.#isStarted) return;
    if (tasks.size === 0) this.#timer?.cancel();
    else {
      this.#wake();
      this.#env.activity.track(this.#reportLost());
    }
  }

  /** Begins no further runs. */
  stop(): void {
    this.#isStarted = false;
    this.#timer?.cancel();
  }

  #wakeAt(ms: number): void {
    if (!this.#isStarted || ms >= this.#wakesAtMs) return;
    this.#timer?.cancel();
    this.#wakesAtMs = ms;
    this.#timer = this.#env.clock.setTimeout(() => this.#wake(), ms - this.#env.clock.now());
  }

  #wake(): void {
    this.#timer?.cancel();
    this.#wakesAtMs = Infinity;
    if (this.#isReading) this.#isStale = true;
    else this.#env.activity.track(this.#read());
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    let nextMs = Infinity;
    try {
      do {
        this.#isStale = false;
        nextMs = Infinity;
        for (const task of this.#queue.tasks.values()) {
          if (!this.#isStarted) break;
          nextMs = Math.min(nextMs, await this.#startDue(task));
        }
      } while (this.#isStale && this.#isStarted);
      this.#hasFailed = false;
    } catch (error) {
      // Once, however long it lasts.
      if (!this.#hasFailed)
        this.#env.log.error({ err: error }, `tasks do not run: ${errorText(error)}`);
      this.#hasFailed = true;
    }
    this.#isReading = false;
    this.#wakeAt(Math.min(nextMs, this.#env.clock.now() + POLL_MS));
  }

  /** Starts the runs of a task that are due. Returns when the next one is. */
  async #startDue(task: Task): Promise<number> {
    const { running } = this.#stateOf(task.name);
    let nextMs = Infinity;
    const consider = async (run: StoredRun): Promise<void> => {
      if (!this.#isStarted) return;
      const dueMs = Math.max(run.dueMs, run.notBefore);
      if (dueMs > this.#env.clock.now()) nextMs = Math.min(nextMs, dueMs);
      else if (!running.has(run.id) && running.size < task.concurrency)
        await this.#start(task, run);
    };
    if (task.schedule) {
      const run = await this.#scheduledRun(task);
      // A process with another version of the schedule wrote it last: that one runs it.
      if (run?.spec === task.schedule.spec) await consider(run);
    }
    let after: string | undefined;
    while (this.#isStarted && running.size < task.concurrency) {
      const page = await this.#queue.store.list(task.name, PAGE, after);
      for (const run of page) await consider(run);
      const last = page.at(-1);
      // They are in the order in which they are due.
      if (!last || page.length < PAGE || last.dueMs > this.#env.clock.now()) break;
      after = last.id;
    }
    return nextMs;
  }

  /**
   * Returns the next run of a task with a schedule. The first time, it replaces that of another schedule; at any time, one
   * that a clock has set which was ahead.
   */
  async #scheduledRun(task: Task): Promise<StoredRun | undefined> {
    const { name, schedule } = task;
    if (!schedule) return undefined;
    const { store } = this.#queue;
    const state = this.#stateOf(name);
    const run = await store.scheduled(name);
    const now = this.#env.clock.now();
    const latest = now + MAX_SKEW_MS;
    const isOwn = run?.spec === schedule.spec;
    const isKept = isOwn
      ? run.dueMs <= latest || isPlausible(schedule, run.dueMs, latest, state)
      : run !== undefined && state.registered === schedule.spec;
    if (!isKept) {
      const due = schedule.next(now, now);
      if (due === undefined) return undefined;
      if (!(await store.reschedule(name, run, { spec: schedule.spec, due }))) {
        this.#isStale = true;
        return undefined;
      }
    }
    state.registered = schedule.spec;
    return isKept ? run : store.scheduled(name);
  }

  async #start(task: Task, run: StoredRun): Promise<void> {
    const claimed = await this.#queue.store.claim(run);
    if (!claimed) return;
    const { running } = this.#stateOf(task.name);
    running.add(run.id);
    this.#env.activity.track(
      new ClaimedRun(this.#env, this.#queue.store, task, claimed).complete().finally(() => {
        running.delete(run.id);
        // There is room for another one, or the next time of a schedule.
        this.#wakeAt(this.#env.clock.now());
      }),
    );
  }

  /** Reports pending runs of tasks that are gone. They stay, for a version of the bot that has them. */
  async #reportLost(): Promise<void> {
    const { log } = this.#env;
    try {
      const names = await this.#queue.store.names();
      for (const name of names) {
        if (this.#queue.tasks.has(name) || !isFirst(log, `the lost task ${name}`)) continue;
        log.warn({ task: name }, `runs of the task ${name} are pending, but no file defines it`);
      }
    } catch {
      // Reading what is due fails too, and reports it.
    }
  }

  #stateOf(task: string): TaskState {
    const state = this.#states.get(task) ?? { running: new Set() };
    this.#states.set(task, state);
    return state;
  }
}

/** Returns whether a schedule has no earlier time than this one. Most of what a look at the tasks costs, so it is remembered. */
function isPlausible(schedule: Schedule, dueMs: number, latest: number, state: TaskState): boolean {
  const known = state.plausible;
  // Unless the clock was set back, a time that was plausible once still is.
  if (known?.dueMs === dueMs && known.latest <= latest) return true;
  if (dueMs > (schedule.next(latest, latest) ?? Infinity)) return false;
  state.plausible = { dueMs, latest };
  return true;
}
