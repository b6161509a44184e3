import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { StorageConnection } from '../storage/storage-connection.js';
import { idOf, jsonOf, nameInKey } from './task-keys.js';
import { isTimeZone } from '../text/time-zone.js';
import type { StoredRun } from './stored-run.js';
import { claimKey } from './task-store.js';
import { nextTime, timingSchema, type Timing } from './task.js';

/** Key of the repeat that the schedule in a task's file is. Handlers cannot use an empty key. */
export const FILE_KEY = '';

const repeatSchema = z.object({
  timing: timingSchema,
  /** Due time of the next run, or of the run in progress, in milliseconds since the epoch. */
  due: z.number(),
  payload: z.unknown().optional(),
});

/** Maximum assumed difference of two clocks, in milliseconds. */
const MAX_SKEW_MS = 3_600_000;
/** Time after which a run that is due has no process that begins it, in milliseconds. */
const ABANDONED_MS = 60_000;

/** A task that repeats until its repeat is canceled or replaced. */
export interface Repeat extends Readonly<z.output<typeof repeatSchema>> {
  readonly task: string;
  readonly key: string;
}

type RepeatKey = Pick<Repeat, 'task' | 'key'>;

/**
 * Stores the repeats of tasks. Each repeat has the entry of one run, which is written before the repeat names its due time and
 * deleted after that: a process that ends in between loses no run. Only the run at the due time of the repeat begins, and the
 * runs of a repeat share their claim: a repeat that is replaced during a run begins after the end of the run.
 */
export class TaskRepeats {
  readonly #connection: StorageConnection;

  constructor(connection: StorageConnection) {
    this.#connection = connection;
  }

  /** Returns a repeat; `undefined` if there is none. */
  async get(task: string, key: string): Promise<Repeat | undefined> {
    return readRepeat({ task, key }, await this.#connection.get(keyOf({ task, key })));
  }

  /**
   * Stores the schedule in the file of a task, and deletes a schedule that the file no longer has.
   *
   * @param kept - the schedule that this process has stored before, if any. A process with another version of the file may have
   * replaced the schedule since, and runs its own as long as that process lives.
   */
  async keep(task: string, timing: Timing | null, kept?: Timing | null): Promise<void> {
    const repeat = { task, key: FILE_KEY };
    const { clock, isPrivate } = this.#connection;
    await this.update(repeat, async (before) => {
      const nowMs = clock.now();
      if (before) {
        const isKept = isDeepStrictEqual(kept, timing);
        const isSame = isDeepStrictEqual(before.timing, timing);
        if (isSame && !isKept) await this.#addRun(before);
        const isForeign = timing ? isKept : !isPrivate && !isDeepStrictEqual(before.timing, kept);
        if (isSame || (isForeign && (await this.#isAlive(before, nowMs)))) return before;
      }
      const due = timing && (await nextTime(timing, nowMs));
      return timing && due ? { ...repeat, timing, due } : undefined;
    });
  }

  /** Returns whether a process begins the runs of a schedule, or is running one. */
  async #isAlive({ task, key, due }: Repeat, nowMs: number): Promise<boolean> {
    const claim = claimKey({ id: '', task, repeat: key });
    return due > nowMs - ABANDONED_MS || (await this.#connection.get(claim)) !== undefined;
  }

  /** Moves the run of a repeat that a clock which was ahead has set too late. Resolves to its due time. */
  async correct({ task, dueMs, repeat: key = FILE_KEY }: StoredRun): Promise<number> {
    const nowMs = this.#connection.clock.now();
    const latestMs = nowMs + MAX_SKEW_MS;
    const before = dueMs > latestMs ? await this.get(task, key) : undefined;
    if (before?.due !== dueMs || !hasKnownZone(before)) return dueMs;
    // A repeat is due no later than if the repeat began now.
    if (dueMs <= ((await nextTime(before.timing, latestMs)) ?? latestMs)) return dueMs;
    const due = (await nextTime(before.timing, nowMs)) ?? dueMs;
    await this.update(before, (now) => (now?.due === dueMs ? { ...now, due } : now));
    return due;
  }

  /** Continues the repeat of a run that is over. */
  async advance({ task, dueMs, repeat: key = FILE_KEY }: StoredRun): Promise<void> {
    await this.update({ task, key }, async (before) => {
      if (before?.due !== dueMs) return before;
      const due = await nextTime(before.timing, this.#connection.clock.now(), dueMs);
      return due === undefined ? undefined : { ...before, due };
    });
  }

  /** Cancels a repeat. A run in progress ends. Resolves to whether there was a repeat. */
  cancel(task: string, key: string): Promise<boolean> {
    return this.update({ task, key }, () => undefined);
  }

  /**
   * Replaces a repeat and its run by the result of `next`, unless that is the repeat itself. Resolves to whether the repeat was
   * replaced.
   */
  async update(
    repeat: RepeatKey,
    next: (before: Repeat | undefined) => Repeat | undefined | Promise<Repeat | undefined>,
  ): Promise<boolean> {
    const { from, to } = await this.#connection.update(keyOf(repeat), async (text) => {
      const before = readRepeat(repeat, text);
      const after = await next(before);
      if (after === before) return text;
      if (after) await this.#addRun(after);
      return after && JSON.stringify({ ...after, task: undefined, key: undefined });
    });
    if (from === to) return false;
    const [before, after] = [readRepeat(repeat, from), readRepeat(repeat, to)];
    // Another process has deleted the new run if it was due before the repeat was stored.
    if (after && !(before && before.due < after.due)) await this.#addRun(after);
    if (before && before.due !== after?.due) {
      await this.#connection.delete(runKeyOf(before));
      // A call in the meantime, which found this run, has added none.
      const now = await this.get(repeat.task, repeat.key);
      if (now?.due === before.due) await this.#addRun(now);
    }
    return true;
  }

  /** Adds the next run of a repeat, unless the run is stored. */
  async #addRun(repeat: Repeat): Promise<void> {
    await this.#connection.swap(runKeyOf(repeat), undefined, '{}');
  }
}

/** Reads a repeat; `undefined` for no entry. An entry in another form is never due. */
function readRepeat(repeat: RepeatKey, text: string | undefined): Repeat | undefined {
  if (text === undefined) return undefined;
  const { data } = repeatSchema.safeParse(jsonOf(text));
  return { ...repeat, ...(data ?? { timing: { every: Infinity }, due: 0 }) };
}

/** Returns whether Node.js knows the time zone of a repeat, which a newer version may have stored. */
export const hasKnownZone = ({ timing }: Repeat): boolean =>
  'every' in timing || isTimeZone(timing.timeZone);

/** Returns the id of the next run of a repeat; with a due time of 0, of the entry that its runs share if their payload does not fit. */
export const runIdOf = ({ task, key, due }: Omit<Repeat, 'timing' | 'payload'>): string =>
  idOf(task, due, `@${nameInKey(key)}`);

const runKeyOf = (repeat: Repeat): string => `tasks:run:${runIdOf(repeat)}`;

const keyOf = ({ task, key }: RepeatKey): string =>
  `tasks:repeat:${nameInKey(task)}:${nameInKey(key)}`;
