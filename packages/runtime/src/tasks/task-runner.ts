import type { Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { BotEnvironment } from '../command/environment.js';
import { isFirst } from '../command/is-first.js';
import { completeRun, MAX_BEGUN } from './claimed-run.js';
import { Reachability } from './reachability.js';
import type { TaskQueue } from './task-queue.js';
import { LEASE_MS, type StoredRun } from './task-store.js';
import type { Schedule } from './schedule.js';
import type { Task } from './task.js';

/** How often the storage is read though no run is known to be due: others add runs too, and leave theirs behind. */
const POLL_MS = 5_000;
/** The same for runs that no other process has: then only a clock that was set goes unnoticed. */
const PRIVATE_POLL_MS = 60_000;
/** The maximum number of entries that are read at a time. */
const PAGE = 100;
/** After a look at several pages, the next one that begins at the first of them is this many times as long away. */
const LOOK_PAUSE = 20;
/** The clocks of two processes may differ by this, in milliseconds: for schedules, and for the pause before a repetition. */
const MAX_SKEW_MS = 3_600_000;
const MAX_PAUSE_SKEW_MS = 300_000;

/** What is known of the runs of a task. */
interface TaskState {
  /** Ids of those in progress. */
  readonly running: Set<string>;
  /** The spec of its schedule, if that is in the storage. */
  registered?: string | undefined;
  /** The time of its schedule that was checked last, and when it was. */
  plausible?: { readonly dueMs: number; readonly latest: number };
  /**
   * Set by a look at several pages: the runs up to `after` are in progress, here or elsewhere, or wait for a repetition, the
   * first at `nextMs`. They are read again from `untilMs` on, by `Clock.monotonic()`.
   */
  seen?: { readonly after: string; readonly untilMs: number; readonly nextMs: number } | undefined;
  /** Whether no run was begun that is due later: then the clock was ahead when it was added. @defaultValue false */
  isInOrder?: boolean;
}

/**
 * Runs tasks when they are due. Several processes with one storage share the runs: each is claimed by one of them, which
 * renews its claim as long as it runs. A run whose process is gone is begun again by another one.
 */
export class TaskRunner {
  readonly #env: BotEnvironment;
  readonly #queue: TaskQueue;
  readonly #platform: Reachability;
  /** By the name of each task. */
  readonly #states = new Map<string, TaskState>();
  #timer: Timer | undefined;
  #poll: Timer | undefined;
  #wakesAtMs = Infinity;
  #isStarted = false;
  #isReading = false;
  /** Something changed while the storage was being read. */
  #isStale = false;
  /** When the storage was read last, by `Clock.now()`. */
  #readAtMs = -Infinity;
  /** Runs were due when the platform could not be reached. */
  #isWaiting = false;
  /** A run is in progress that ended its process each time before. */
  #hasSuspect = false;

  constructor(env: BotEnvironment, queue: TaskQueue) {
    this.#env = env;
    this.#queue = queue;
    this.#platform = new Reachability(env);
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
    if (tasks.size === 0) this.#cancelTimers();
    else {
      this.#wake();
      this.#env.activity.track(this.#reportLost());
    }
  }

  /** Begins no further runs. */
  stop(): void {
    this.#isStarted = false;
    this.#cancelTimers();
  }

  #cancelTimers(): void {
    this.#timer?.cancel();
    this.#poll?.cancel();
    this.#wakesAtMs = Infinity;
  }

  #wakeAt(ms: number): void {
    if (!this.#isStarted || ms >= this.#wakesAtMs) return;
    this.#timer?.cancel();
    this.#wakesAtMs = ms;
    this.#timer = this.#env.clock.setTimeout(() => this.#wake(), ms - this.#env.clock.now());
  }

  #wake(): void {
    this.#cancelTimers();
    if (this.#isReading) this.#isStale = true;
    else this.#env.activity.track(this.#read());
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    let nextMs = Infinity;
    const nowMs = this.#env.clock.now();
    if (nowMs < this.#readAtMs)
      for (const state of this.#states.values())
        Object.assign(state, { isInOrder: false, seen: undefined } satisfies Partial<TaskState>);
    this.#readAtMs = nowMs;
    try {
      do {
        this.#isStale = false;
        this.#isWaiting = false;
        nextMs = Infinity;
        for (const task of this.#queue.tasks.values()) {
          if (!this.#isStarted) break;
          nextMs = Math.min(nextMs, await this.#startDue(task));
        }
      } while (this.#isStale && this.#isStarted);
      this.#queue.failure = undefined;
    } catch (error) {
      // Once, however long it lasts.
      const failure = `tasks do not run: ${errorText(error)}`;
      if (this.#queue.failure === undefined) this.#env.log.error({ err: error }, failure);
      this.#queue.failure = failure;
    }
    this.#isReading = false;
    if (!this.#isStarted) return;
    const isRoutine = !this.#isWaiting;
    const pollMs = this.#queue.isPrivate && isRoutine ? PRIVATE_POLL_MS : POLL_MS;
    this.#poll?.cancel();
    this.#poll = this.#env.clock.setTimeout(() => this.#wake(), pollMs, { isRoutine });
    // A paused clock never reaches it.
    if (!this.#queue.isPaused) this.#wakeAt(nextMs);
  }

  /** Starts the runs of a task that are due. Returns when the next one is. */
  async #startDue(task: Task): Promise<number> {
    const { clock } = this.#env;
    const state = this.#stateOf(task.name);
    const { running } = state;
    const hasRoom = (): boolean =>
      this.#isStarted && !this.#isWaiting && running.size < task.concurrency;
    let nextMs = Infinity;
    const consider = async (run: StoredRun): Promise<void> => {
      const latest = clock.now() + run.pauseMs + MAX_PAUSE_SKEW_MS;
      // A later one was set by a clock that was ahead.
      const waitsUntilMs = run.notBefore > latest ? 0 : run.notBefore;
      const dueMs = Math.max(wasBegun(run) ? 0 : run.dueMs, waitsUntilMs);
      if (dueMs > clock.now()) nextMs = Math.min(nextMs, dueMs);
      else if (hasRoom() && !running.has(run.id) && !(isSuspect(run) && this.#hasSuspect))
        await this.#start(task, run);
    };
    if (task.schedule) {
      const run = await this.#scheduledRun(task);
      // A process with another version of the schedule wrote it last: that one runs it.
      if (run?.spec === task.schedule.spec) await consider(run);
    }
    const startMs = clock.monotonic();
    const seen = state.seen && startMs < state.seen.untilMs ? state.seen : undefined;
    let after = seen?.after;
    let pages = 0;
    let isInOrder = true;
    look: while (hasRoom()) {
      const page = await this.#queue.store.list(task.name, PAGE, after);
      pages += 1;
      for (const run of page) {
        const isLater = run.dueMs > clock.now();
        if (isLater && wasBegun(run)) isInOrder = false;
        await consider(run);
        // They are in the order in which they are due.
        if (!hasRoom() || (isLater && state.isInOrder)) break look;
        after = run.id;
      }
      if (page.length < PAGE) break;
      // Storages and handlers may need no time at all, and thousands of runs may be due.
      await clock.sleep(0);
    }
    if (seen) {
      state.seen = { ...seen, after: after ?? seen.after };
      return Math.min(
        nextMs,
        Math.max(seen.nextMs, clock.now() + seen.untilMs - clock.monotonic()),
      );
    }
    const wasWhole = !state.isInOrder;
    if (hasRoom()) state.isInOrder = isInOrder;
    const pauseMs = Math.min(LOOK_PAUSE * (clock.monotonic() - startMs), LEASE_MS);
    state.seen =
      pages > 1 && after !== undefined && !wasWhole
        ? { after, untilMs: startMs + pauseMs, nextMs }
        : undefined;
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
      ? wasBegun(run) || run.dueMs <= latest || isPlausible(schedule, run.dueMs, latest, state)
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
    this.#isWaiting = !this.#platform.allows();
    if (this.#isWaiting) return;
    const env = this.#env;
    const { store } = this.#queue;
    const claimed = await store.claim(run);
    if (!claimed) return;
    const { running } = this.#stateOf(task.name);
    running.add(run.id);
    if (isSuspect(run)) this.#hasSuspect = true;
    const parts = { env, store, platform: this.#platform, task, run: claimed };
    env.activity.track(
      completeRun(parts).finally(() => {
        running.delete(run.id);
        if (isSuspect(run)) this.#hasSuspect = false;
        // There is room for another one, or the next time of a schedule.
        this.#wakeAt(env.clock.now());
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

/**
 * Returns whether the process would end a run for good if it ended now. Begun one at a time, one that ends its process takes
 * no others with it.
 */
const isSuspect = ({ begun }: StoredRun): boolean => begun === MAX_BEGUN - 1;

/** Returns whether a run was due once, whatever the clock says now. */
const wasBegun = ({ begun, attempt, waitingSince }: StoredRun): boolean =>
  begun > 0 || attempt > 1 || waitingSince !== undefined;

/** Returns whether a schedule has no earlier time than this one. Most of what a look at the tasks costs, so it is remembered. */
function isPlausible(schedule: Schedule, dueMs: number, latest: number, state: TaskState): boolean {
  const known = state.plausible;
  // Unless the clock was set back, a time that was plausible once still is.
  if (known?.dueMs === dueMs && known.latest <= latest) return true;
  if (dueMs > (schedule.next(latest, latest) ?? Infinity)) return false;
  state.plausible = { dueMs, latest };
  return true;
}
