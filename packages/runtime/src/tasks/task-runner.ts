import type { Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Message } from '@virgule/core/protocol';
import { AskAnswers } from './ask-answers.js';
import { orUndefined } from '@virgule/core/objects';
import type { BotEnvironment } from '../command/environment.js';
import { warnOnce } from '../command/warn-once.js';
import { completeRun, MAX_BEGUN } from './claimed-run.js';
import { Reachability } from './reachability.js';
import type { TaskQueue } from './task-queue.js';
import type { StoredRun } from './stored-run.js';
import { LEASE_MS } from './task-store.js';
import type { Task, Timing } from './task.js';

/** Interval in milliseconds of reading the storage while no run is known to be due: other processes add runs, and may end. */
const POLL_MS = 5_000;
/** Interval in milliseconds if no other process can access the runs: reading then only detects a change of the clock. */
const PRIVATE_POLL_MS = 60_000;
const PAGE = 100;
/** Maximum number of runs that are read to find a run whose key is free. */
const MAX_ORDERED = 1_000;
/** Pause before all pages are read again, as a multiple of the time that reading several pages took. */
const LOOK_PAUSE = 20;
/** Maximum assumed difference of two clocks in the pause before a repetition, in milliseconds. */
const MAX_PAUSE_SKEW_MS = 300_000;

interface TaskState {
  /** Ids of the runs in progress in this process. */
  readonly running: Set<string>;
  /** Schedule of the task's file that this process has stored; `null` if it has found that there is none. */
  kept?: Timing | null | undefined;
  /**
   * Set after several pages were read: all runs up to `after` are in progress in some process, or wait for a repetition, the
   * first at `nextMs`. They are read again after `untilMs`, a reading of `Clock.monotonic()`.
   */
  seen?: { readonly after: string; readonly untilMs: number; readonly nextMs: number } | undefined;
  /** Id of the last run whose due time was compared with the timing of its repeat. */
  checked?: string;
  /** `true` if no run with a later due time has begun. The clock was ahead when such a run was added. @defaultValue false */
  isInOrder?: boolean;
}

/**
 * Runs tasks when they are due. Several processes with one storage share the runs: one process claims a run, and renews the
 * claim during the run. After the end of a process, another process begins its runs again.
 */
export class TaskRunner {
  readonly answers: AskAnswers;
  readonly #env: BotEnvironment;
  readonly #queue: TaskQueue;
  readonly #platform: Reachability;
  readonly #states = new Map<string, TaskState>();
  #timer: Timer | undefined;
  #poll: Timer | undefined;
  #wakesAtMs = Infinity;
  #isStarted = false;
  #isReading = false;
  /** `true` if runs or tasks changed while the storage was being read. */
  #isStale = false;
  /** Time of the last read of the storage: a reading of `Clock.now()`. */
  #readAtMs = -Infinity;
  /** `true` if runs were due while the platform was unreachable. */
  #isWaiting = false;
  /** `true` if another process has claimed a due run; the process may have been killed. */
  #isClaimed = false;
  /** `true` while a suspect run is in progress; see `isSuspect`. */
  #hasSuspect = false;

  /** @param isCommand - returns whether a message runs a command, which is no answer to a question */
  constructor(env: BotEnvironment, queue: TaskQueue, isCommand: (message: Message) => boolean) {
    this.#env = env;
    this.#queue = queue;
    this.#platform = new Reachability(env);
    this.answers = new AskAnswers(env, queue, isCommand);
    queue.onAsked = (ask) => this.answers.asked(ask);
    queue.onUnshown = () => this.answers.catchUp();
    queue.onAdded = (dueMs) => {
      if (dueMs > env.clock.now()) this.#wakeAt(dueMs);
      else if (this.#isStarted) this.#wake();
    };
  }

  /** Called each time when the bot is connected. */
  start(): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.reload();
    }
    this.answers.catchUp();
  }

  /** Reads the tasks from the queue again. Runs in progress end on the old code. */
  reload(): void {
    this.answers.reload();
    this.#cancelTimers();
    if (!this.#isStarted || this.#queue.tasks.size === 0) return;
    this.#wake();
    this.#env.activity.track(this.#reportLost());
  }

  /** Begins no further runs. */
  stop(): void {
    this.#isStarted = false;
    this.#cancelTimers();
    this.answers.ending.abort();
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
    // The clock was set back.
    if (nowMs < this.#readAtMs)
      for (const [name, { running }] of this.#states) this.#states.set(name, { running });
    this.#readAtMs = nowMs;
    try {
      do {
        this.#isStale = false;
        this.#isWaiting = false;
        this.#isClaimed = false;
        nextMs = Infinity;
        for (const task of this.#queue.tasks.values())
          nextMs = Math.min(nextMs, await this.#startDue(task));
      } while (this.#isStale && this.#isStarted);
      this.#queue.failure = undefined;
    } catch (error) {
      // Logged once for each outage.
      const failure = `tasks do not run: ${errorText(error)}`;
      if (this.#queue.failure === undefined) this.#env.log.error({ err: error }, failure);
      this.#queue.failure = failure;
    }
    this.#isReading = false;
    if (!this.#isStarted) return;
    const isRoutine = !this.#isWaiting;
    const isSeldom = this.#queue.connection.isPrivate && isRoutine && !this.#isClaimed;
    const pollMs = isSeldom ? PRIVATE_POLL_MS : POLL_MS;
    this.#poll = this.#env.clock.setTimeout(() => this.#wake(), pollMs, { isRoutine });
    // A paused clock never reaches the due time.
    if (!this.#queue.isPaused) this.#wakeAt(nextMs);
  }

  /** Starts the due runs of a task. Resolves to the due time of the next run. */
  async #startDue(task: Task): Promise<number> {
    const { clock, log } = this.#env;
    const state = this.#stateOf(task.name);
    const { running } = state;
    const hasRoom = (): boolean =>
      this.#isStarted && !this.#isWaiting && running.size < task.concurrency;
    let nextMs = Infinity;
    /** Keys of the runs so far, which are not over: a later run with the same key does not begin. */
    const keys = new Set<unknown>();
    const consider = async (stored: StoredRun): Promise<void> => {
      if (!expects(task, stored)) {
        warnOnce(log, { task: task.name }, `${task.file} ${CHANGED}`);
        return;
      }
      const latest = clock.now() + stored.pauseMs + MAX_PAUSE_SKEW_MS;
      // A clock that was ahead has set a later time.
      const waitsUntilMs = stored.notBefore > latest ? 0 : stored.notBefore;
      const dueMs = Math.max(wasBegun(stored) ? 0 : stored.dueMs, waitsUntilMs);
      const isDue = dueMs <= clock.now();
      const run = isDue || task.order ? await this.#queue.begin(stored, task, isDue, log) : stored;
      if (!run) return;
      if (!isDue && run.repeat !== undefined && run.id !== state.checked) {
        state.checked = run.id;
        nextMs = Math.min(nextMs, await this.#queue.repeats.correct(run));
      }
      const key = keyOf(task, run);
      if (key !== undefined && keys.has(key)) return;
      keys.add(key);
      if (!isDue) nextMs = Math.min(nextMs, dueMs);
      else if (hasRoom() && !running.has(run.id) && !(isSuspect(run) && this.#hasSuspect))
        await this.#start(task, run);
    };
    if (task.schedule || state.kept !== null) {
      await this.#queue.repeats.keep(task.name, task.schedule, state.kept);
      state.kept = task.schedule;
    }
    const startMs = clock.monotonic();
    // With an order, the keys of all earlier runs have to be known.
    const seen = !task.order && state.seen && startMs < state.seen.untilMs ? state.seen : undefined;
    let after = seen?.after;
    let count = 0;
    let isInOrder = true;
    const runs = hasRoom() ? this.#queue.store.runs(task.name, after, PAGE) : [];
    for await (const run of runs) {
      const isLater = run.dueMs > clock.now();
      if (isLater && wasBegun(run)) isInOrder = false;
      if (hasRoom()) await consider(run);
      // Runs are listed in the order of their due times.
      if (!hasRoom() || (isLater && state.isInOrder)) break;
      after = run.id;
      count += 1;
      if (task.order && count === MAX_ORDERED) break;
      // Lets other code run: storages and handlers may be synchronous, and thousands of runs may be due.
      if (count % PAGE === 0) await clock.sleep(0);
    }
    if (seen) {
      state.seen = { ...seen, after: after ?? seen.after };
      const seenMs = Math.max(seen.nextMs, clock.now() + seen.untilMs - clock.monotonic());
      return Math.min(nextMs, seenMs);
    }
    const wasWhole = !state.isInOrder;
    if (hasRoom()) state.isInOrder = isInOrder;
    const pauseMs = Math.min(LOOK_PAUSE * (clock.monotonic() - startMs), LEASE_MS);
    state.seen =
      count >= PAGE && after !== undefined && !wasWhole && !task.order
        ? { after, untilMs: startMs + pauseMs, nextMs }
        : undefined;
    return nextMs;
  }

  async #start(task: Task, run: StoredRun): Promise<void> {
    this.#isWaiting = !this.#platform.allows();
    if (this.#isWaiting) return;
    const env = this.#env;
    const claimed = await this.#queue.store.claim(run);
    this.#isClaimed ||= !claimed;
    if (!claimed) return;
    const { running } = this.#stateOf(task.name);
    running.add(run.id);
    if (isSuspect(run)) this.#hasSuspect = true;
    const parts = { env, queue: this.#queue, answers: this.answers, platform: this.#platform };
    env.activity.track(
      completeRun({ ...parts, task, run: claimed, step: 'reading' }).finally(() => {
        running.delete(run.id);
        if (isSuspect(run)) this.#hasSuspect = false;
        // Another run may start now, or a schedule has its next due time.
        this.#wakeAt(env.clock.now());
      }),
    );
  }

  /** Logs pending runs of tasks that no longer exist. The runs stay, for a version of the bot that has the task. */
  async #reportLost(): Promise<void> {
    const { log } = this.#env;
    const { repeats, store } = this.#queue;
    const lost = async (): Promise<readonly string[]> =>
      [...(await store.names(['run']))].filter((name) => !this.#queue.tasks.has(name));
    try {
      // The schedule of a file goes with the file.
      for (const name of await lost()) await repeats.keep(name, null, this.#states.get(name)?.kept);
      for (const name of await lost()) {
        const text = `runs of the task ${name} are pending, but no file defines it`;
        warnOnce(log, { task: name }, text);
      }
    } catch {
      // Reading due runs fails too, and logs the error.
    }
  }

  #stateOf(task: string): TaskState {
    const state = this.#states.get(task) ?? { running: new Set() };
    this.#states.set(task, state);
    return state;
  }
}

/**
 * Returns whether the next start of a run is its last allowed one, because its process ended each time before. Suspect runs
 * are started one at a time, so that a run that ends its process does not make others fail for good.
 */
const isSuspect = ({ begun }: StoredRun): boolean => begun === MAX_BEGUN - 1;

const CHANGED =
  'waits for another answer than its pending runs, which begin when an earlier `waits` is back';

/** Returns whether a task expects what a run has: an answer of a kind, or none. */
function expects({ waits }: Task, run: StoredRun): boolean {
  const place = run.place ?? run.question;
  if (!place || !waits) return run.isCanceled ?? (!place && !waits);
  return (run.waits ?? waits) === waits;
}

/** Returns the key of a run; `undefined` without an order, and for a payload that the order cannot read. */
const keyOf = ({ order }: Task, { payload }: StoredRun): unknown =>
  order && orUndefined(() => order(payload));

/** Returns whether a run was due before, regardless of the current clock. */
const wasBegun = ({ begun, attempt, waitingSince }: StoredRun): boolean =>
  begun > 0 || attempt > 1 || waitingSince !== undefined;
