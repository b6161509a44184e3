import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { StorageConnection } from '../storage/storage-connection.js';
import { jsonOf, nameInKey, timeInKey } from './task-keys.js';
import type { StoredRun } from './stored-run.js';
import { nextTime, type Task } from './task.js';

/** Key of the repeat that the schedule in a task's file is. Handlers cannot use an empty key. */
export const FILE_KEY = '';

const repeatSchema = z.object({
  timing: z.union([
    z.object({ every: z.number() }),
    z.object({ cron: z.string(), timeZone: z.string() }),
  ]),
  /** Due time of the next run, or of the run in progress, in milliseconds since the epoch. */
  due: z.number(),
  payload: z.unknown().optional(),
  /** Due time of a run that was in progress when the repeat was replaced: no run begins before its end. */
  after: z.number().optional(),
});

/** Maximum assumed difference of two clocks, in milliseconds. */
const MAX_SKEW_MS = 3_600_000;

/** A task that repeats until its repeat is canceled or replaced. */
export interface Repeat extends Readonly<z.output<typeof repeatSchema>> {
  readonly task: string;
  readonly key: string;
}

type RepeatKey = Pick<Repeat, 'task' | 'key'>;

/** A repeat with its entry in the storage. */
interface StoredRepeat extends Repeat {
  readonly text: string;
}

/**
 * Stores the repeats of tasks. Each repeat has the entry of one run, which is written before the repeat names its due time and
 * deleted after that: a process that ends in between loses no run. Only the run at the due time of the repeat begins.
 */
export class TaskRepeats {
  readonly #connection: StorageConnection;

  constructor(connection: StorageConnection) {
    this.#connection = connection;
  }

  /** Returns a repeat; `undefined` if there is none. */
  async get(task: string, key: string): Promise<StoredRepeat | undefined> {
    const text = await this.#connection.run((driver) => driver.get(keyOf({ task, key })));
    if (text === undefined) return undefined;
    // An entry in another form is never due, until it is replaced.
    const { data } = repeatSchema.safeParse(jsonOf(text));
    return { task, key, text, ...(data ?? { timing: { every: Infinity }, due: 0 }) };
  }

  /** Stores a repeat, in place of an earlier one with its key. */
  async put(repeat: Repeat): Promise<void> {
    await this.#update(repeat, async (before) => ({
      ...repeat,
      after: await this.#running(before),
    }));
  }

  /**
   * Stores the schedule in the file of a task, and deletes a schedule that the file no longer has.
   *
   * @param isKept - `true` if this process has stored the schedule before: a process with another version of the file may have
   * replaced the schedule since.
   */
  async keep(
    { name: task, schedule: timing }: Pick<Task, 'name' | 'schedule'>,
    isKept: boolean,
  ): Promise<void> {
    const before = await this.get(task, FILE_KEY);
    if (before ? isKept : !timing) return;
    const nowMs = this.#connection.clock.now();
    // Latest plausible due time of an interval that begins now: a clock that was ahead has set a later one.
    const latestMs = nowMs + MAX_SKEW_MS;
    if (before && isDeepStrictEqual(before.timing, timing)) {
      const last = (await nextTime(before.timing, latestMs, latestMs)) ?? latestMs;
      if (before.due <= last) return this.#addRun(before);
    }
    const due = timing && (await nextTime(timing, nowMs, nowMs));
    const repeat = { task, key: FILE_KEY };
    const after = await this.#running(before);
    await this.#swap(repeat, before, timing && due ? { ...repeat, timing, due, after } : undefined);
  }

  /**
   * Returns a run with the payload of its repeat; `undefined` if it cannot begin, such as before the end of the run before it.
   * Deletes a run whose repeat is canceled, replaced, or further.
   */
  async begin(run: StoredRun, { name, schedule }: Task): Promise<StoredRun | undefined> {
    const { repeat: key = FILE_KEY, dueMs } = run;
    const repeat = await this.get(name, key);
    if (repeat && dueMs > repeat.due) return undefined;
    if (repeat?.due !== dueMs) {
      await this.#connection.run((driver) => driver.swap(run.key, run.text, undefined, null));
      return undefined;
    }
    if (await this.#isRunning(repeat, repeat.after)) return undefined;
    // A process with another version of the file runs its own schedule.
    if (key === FILE_KEY && !isDeepStrictEqual(repeat.timing, schedule)) return undefined;
    return { ...run, payload: repeat.payload };
  }

  /** Continues the repeat of a run that is over. */
  async advance({ dueMs, repeat: key = FILE_KEY }: StoredRun, task: string): Promise<void> {
    await this.#update({ task, key }, async (before) => {
      if (before?.due !== dueMs) return before;
      const due = await nextTime(before.timing, dueMs, this.#connection.clock.now());
      return due === undefined ? undefined : { ...before, due, after: undefined };
    });
  }

  /** Cancels a repeat. A run in progress ends. Resolves to whether there was a repeat. */
  cancel(task: string, key: string): Promise<boolean> {
    return this.#update({ task, key }, () => undefined);
  }

  /** Replaces a repeat by the result of `next`, unless that is the repeat itself. Resolves to whether it was replaced. */
  async #update(
    repeat: RepeatKey,
    next: (before: StoredRepeat | undefined) => Repeat | undefined | Promise<Repeat | undefined>,
  ): Promise<boolean> {
    for (;;) {
      const before = await this.get(repeat.task, repeat.key);
      const after = await next(before);
      if (after === before) return false;
      if (await this.#swap(repeat, before, after)) return true;
    }
  }

  /** Replaces a repeat and its run. Resolves to `false` if another process has changed the repeat. */
  async #swap(
    repeat: RepeatKey,
    before: StoredRepeat | undefined,
    next: Repeat | undefined,
  ): Promise<boolean> {
    const { timing, due, payload, after } = next ?? {};
    const entry = next && { timing, due, payload, after };
    if (next) await this.#addRun(next);
    const isSwapped = await this.#connection.run((driver) =>
      driver.swap(keyOf(repeat), before?.text, entry && JSON.stringify(entry), null),
    );
    if (!isSwapped) return false;
    // Another process has deleted the new run if it was due before the repeat was stored.
    if (next && !(before && before.due < next.due)) await this.#addRun(next);
    if (before && before.due !== next?.due)
      await this.#connection.run((driver) => driver.delete(runKeyOf(before)));
    return true;
  }

  /** Returns the due time of the run of a repeat that is in progress in some process. */
  async #running(repeat: Repeat | undefined): Promise<number | undefined> {
    if (!repeat) return undefined;
    if (await this.#isRunning(repeat, repeat.after)) return repeat.after;
    return (await this.#isRunning(repeat, repeat.due)) ? repeat.due : undefined;
  }

  async #isRunning(repeat: Repeat, due: number | undefined): Promise<boolean> {
    if (due === undefined) return false;
    const claim = `tasks:claim:${runIdOf({ ...repeat, due })}`;
    return (await this.#connection.run((driver) => driver.get(claim))) !== undefined;
  }

  /** Adds the next run of a repeat, unless the run is stored. */
  async #addRun(repeat: Repeat): Promise<void> {
    await this.#connection.run((driver) => driver.swap(runKeyOf(repeat), undefined, '{}', null));
  }
}

/** Returns the id of the next run of a repeat. */
export const runIdOf = ({ task, key, due }: Repeat): string =>
  `${nameInKey(task)}:${timeInKey(due)}:@${nameInKey(key)}`;

const runKeyOf = (repeat: Repeat): string => `tasks:run:${runIdOf(repeat)}`;

const keyOf = ({ task, key }: RepeatKey): string =>
  `tasks:repeat:${nameInKey(task)}:${nameInKey(key)}`;
